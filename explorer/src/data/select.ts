// Filters over contests, and the contestants that remain. A "duel" is a contest reduced to the
// entries that may be compared with each other: one mode, one kind of processor.
import type { Contest, Entry, Place, Run, Timing } from "./model";
import { placeOf, productName } from "./model";

export type Temperature = "warm" | "cold";

export interface Filters {
  file: string; // "" is all, here and below
  operation: string;
  place: string;
  type: string;
  threads: string;
  columns: string;
  matrixClass: string;
  mode: string; // whole, numeric
  search: string;
  label: string;
}

export const noFilters: Filters = {
  file: "", operation: "", place: "", type: "", threads: "", columns: "", matrixClass: "", mode: "whole", search: "", label: "",
};

/** A contest with the entries that the filters leave. */
export interface Duel {
  contest: Contest;
  place: Place;
  entries: Entry[];
}

/** Every word of the search is part of the name, class or source of the matrix. */
export function matchesSearch(contest: Contest, search: string): boolean {
  const text = `${productName(contest)} ${contest.matrixClass} ${contest.source}`.toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function passes(contest: Contest, by: Filters): boolean {
  return (
    (by.file === "" || contest.run.file === by.file) &&
    (by.operation === "" || contest.operation === by.operation) &&
    (by.type === "" || contest.type === by.type) &&
    (by.threads === "" || contest.threads === Number(by.threads)) &&
    (by.columns === "" || contest.columns === Number(by.columns)) &&
    (by.matrixClass === "" || contest.matrixClass === by.matrixClass) &&
    (by.label === "" || contest.labels.includes(by.label)) &&
    (by.search.trim() === "" || matchesSearch(contest, by.search.trim()))
  );
}

export function select(runs: Run[], by: Filters): Duel[] {
  const duels: Duel[] = [];
  for (const run of runs)
    for (const contest of run.contests) {
      if (!passes(contest, by)) continue;
      for (const place of ["cpu", "cuda", "reference"] as const) {
        if (by.place !== "" && by.place !== place) continue;
        const entries = contest.entries.filter((e) => e.mode === by.mode && placeOf(e) === place);
        if (entries.length > 0) duels.push({ contest, place, entries });
      }
    }
  return duels;
}

/** What the values of a filter could be, given all the other filters: [value, number of contests]. */
export function optionsOf(runs: Run[], by: Filters, key: keyof Filters): [string, number][] {
  const counts = new Map<string, number>();
  for (const duel of select(runs, { ...by, [key]: key === "mode" ? by.mode : "" })) {
    const c = duel.contest;
    const values: Record<string, string> = {
      file: c.run.file, operation: c.operation, place: duel.place, type: c.type,
      threads: String(c.threads), columns: String(c.columns), matrixClass: c.matrixClass,
    };
    const value = values[key] ?? "";
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const numeric = key === "threads" || key === "columns";
  return [...counts].sort(([a], [b]) => (numeric ? Number(a) - Number(b) : a < b ? -1 : 1));
}

export function timeOf(entry: Entry, temperature: Temperature): Timing | null {
  return temperature === "warm" ? entry.warm : entry.cold;
}

// ---- Contestants: those of the records, and roles that several of them can play.

export const roles = {
  "@choice": "Gossamer's choice",
  "@kernels": "fastest Gossamer kernel",
  "@peers": "fastest peer",
  "@sorted-peers": "fastest peer with sorted result",
} as const;
export type Role = keyof typeof roles;

export function labelOf(contestant: string): string {
  if (contestant in roles) return roles[contestant as Role];
  if (contestant === "best") return "Gossamer's choice (CPU)";
  if (contestant === "best/cuda") return "Gossamer's choice (GPU)";
  return contestant;
}

const isChoice = (e: Entry) => e.kind === "choice";
const isOurs = (e: Entry) => e.kind === "kernel" || e.kind === "choice";
const isPeer = (e: Entry) => e.kind === "peer";

/** The entry that plays a contestant or a role in a duel, or none. */
export function entryFor(duel: Duel, contestant: string, temperature: Temperature): Entry | null {
  const fastest = (of: (e: Entry) => boolean): Entry | null => {
    let best: Entry | null = null;
    for (const e of duel.entries) {
      const time = of(e) ? timeOf(e, temperature) : null;
      if (time && (!best || time.median < timeOf(best, temperature)!.median)) best = e;
    }
    return best;
  };
  switch (contestant) {
    case "@choice": return fastest(isChoice);
    case "@kernels": return fastest(isOurs);
    case "@peers": return fastest(isPeer);
    case "@sorted-peers": return fastest((e) => isPeer(e) && e.sorted);
    default: return fastest((e) => e.name === contestant || e.contestant === contestant);
  }
}

/** Contestants in the duels with their number of duels: the choice first, then kernels, peers. */
export function contestants(duels: Duel[]): { name: string; kind: Entry["kind"]; count: number }[] {
  const found = new Map<string, { name: string; kind: Entry["kind"]; count: number }>();
  for (const duel of duels)
    for (const e of duel.entries) {
      const one = found.get(e.name) ?? { name: e.name, kind: e.kind, count: 0 };
      ++one.count;
      found.set(e.name, one);
    }
  const order = { choice: 0, kernel: 1, peer: 2, conversion: 3 };
  return [...found.values()].sort((a, b) => order[a.kind] - order[b.kind] || (a.name < b.name ? -1 : 1));
}
