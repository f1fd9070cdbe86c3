// Rules that choose a kernel, judged against an oracle that knows all times. A rule is right where its
// kernel is the fastest of those it chooses between (within 2 %, what the runner measures medians to).
import type { Entry } from "./model";
import type { Duel } from "./select";

export interface Rule {
  name: string;
  source: string;
  operation: string;
  says: string;
  /** Endings of the kernels it chooses between: "spmv/csr/classical". */
  between: string[];
  pick: (duel: Duel) => string;
}

const rowMean = (d: Duel) => d.contest.features.row_mean ?? d.contest.features.nnz / Math.max(1, d.contest.features.rows);

export const rules: Rule[] = [
  {
    name: "Anzt et al., automatic CSR", source: "TOPC 2020, MV-CSR", operation: "spmv",
    says: "load_balance with more than 10⁶ rows or a row of more than 64, else classical",
    between: ["spmv/csr/classical", "spmv/csr/load_balance"],
    pick: (d) => (d.contest.features.rows > 1e6 || (d.contest.features.row_max ?? 0) > 64 ? "spmv/csr/load_balance" : "spmv/csr/classical"),
  },
  {
    name: "Yang et al., SpMM", source: "Euro-Par 2018, MM-HEUR", operation: "spmm",
    says: "merge based with less than 9.35 nonzeros per row, else row split",
    between: ["spmm/csr/row_split", "spmm/csr/merge"],
    pick: (d) => (rowMean(d) < 9.35 ? "spmm/csr/merge" : "spmm/csr/row_split"),
  },
  {
    name: "Gu et al., SpGEMM", source: "SPAA 2020, PB-CHOICE", operation: "spgemm",
    says: "propagation blocking with a compression factor below 4, else hash",
    between: ["spgemm/csr/pb", "spgemm/csr/hash"],
    pick: (d) => ((d.contest.features.compression ?? Infinity) < 4 ? "spgemm/csr/pb" : "spgemm/csr/hash"),
  },
];

export interface Judgement {
  duel: Duel;
  picked: string;
  best: string;
  regret: number; // time of the picked kernel over the fastest of its field
}

const within = 1.02;

function named(duel: Duel, kernel: string): Entry | undefined {
  return duel.entries.find((e) => e.kind === "kernel" && e.mode === "whole" && e.contestant.startsWith(kernel + "/"));
}

/** A rule of a paper on the duels in which all of its kernels took part. */
export function judgeRule(rule: Rule, duels: Duel[]): Judgement[] {
  return duels.flatMap((duel) => {
    if (duel.contest.operation !== rule.operation) return [];
    const field = rule.between.map((k) => [k, named(duel, k)] as const);
    if (field.some(([, e]) => !e)) return [];
    const [best, fastest] = field.reduce((a, b) => (b[1]!.warm.median < a[1]!.warm.median ? b : a));
    const picked = rule.pick(duel);
    return [{ duel, picked, best, regret: named(duel, picked)!.warm.median / fastest!.warm.median }];
  });
}

/** The library's own choice, as the runner recorded it: over its fastest kernel, preparation shared. */
export function judgeChoice(duels: Duel[]): Judgement[] {
  return duels.flatMap((duel) => {
    const choice = duel.contest.choice;
    if (!choice || choice.regret === null || !choice.best) return [];
    return [{ duel, picked: choice.kernel, best: choice.best, regret: choice.regret }];
  });
}

export function accuracy(judged: Judgement[]): number {
  return judged.filter((j) => j.regret <= within).length / judged.length;
}
