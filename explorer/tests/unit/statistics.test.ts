import { describe, expect, it } from "vitest";
import { parseResults } from "../../src/data/parse";
import { figures } from "../../src/data/papers";
import { accuracy, judgeChoice, judgeRule, rules } from "../../src/data/rules";
import { contestants, entryFor, noFilters, optionsOf, select } from "../../src/data/select";
import { breakEvens, compareRuns, geomean, profile, quantile, ratesOf, speedups, spreadOf } from "../../src/data/statistics";
import { defaults, fromHash, toHash } from "../../src/state";
import { bytes, significant, tick, time } from "../../src/ui/format";
import { csvOf } from "../../src/ui/table";
import { first, lines, mesh, text } from "./fixture";

const run = parseResults("a.jsonl", text());
const duels = select([run], noFilters);

describe("select", () => {
  it("filters by operation, class, type, threads and search", () => {
    expect(select([run], { ...noFilters, matrixClass: "mesh" }).map((d) => d.contest.matrix)).toEqual(["mesh"]);
    expect(select([run], { ...noFilters, search: "RMAT graph" }).length).toBe(1);
    expect(select([run], { ...noFilters, search: "rmat mesh" }).length).toBe(0);
    expect(select([run], { ...noFilters, operation: "spmm" })).toEqual([]);
    expect(select([run], { ...noFilters, threads: "2" }).length).toBe(2);
    expect(select([run], { ...noFilters, place: "cuda" })).toEqual([]);
    expect(select([run], { ...noFilters, mode: "numeric" })).toEqual([]);
  });
  it("offers what the other filters leave", () => {
    expect(optionsOf([run], { ...noFilters, search: "graph" }, "matrixClass")).toEqual([["power-law", 1]]);
    expect(optionsOf([run], noFilters, "matrixClass")).toEqual([["mesh", 1], ["power-law", 1]]);
  });
  it("knows roles", () => {
    expect(entryFor(duels[0]!, "@peers", "warm")?.name).toBe("eigen/rowmajor");
    expect(entryFor(duels[0]!, "@kernels", "warm")?.name).toBe("spmv/csr/sell/openmp");
    expect(entryFor(duels[0]!, "@kernels", "cold")?.name).toBe("best");
    expect(entryFor(duels[1]!, "spmv/csr/rows/openmp", "warm")).toBeNull();
    expect(contestants(duels).map((c) => [c.name, c.count])).toEqual([["best", 2], ["spmv/csr/rows/openmp", 1], ["spmv/csr/sell/openmp", 1], ["eigen/rowmajor", 2]]);
  });
});

describe("statistics", () => {
  it("computes means and quantiles", () => {
    expect(geomean([1, 4])).toBeCloseTo(2);
    expect(geomean([])).toBeNaN();
    expect(quantile([1, 2, 3], 0.25)).toBe(1.5);
  });
  it("computes rates as the runner does", () => {
    const [contest, entry] = [duels[0]!.contest, duels[0]!.entries[0]!];
    const rates = ratesOf(contest, entry, entry.warm);
    expect(rates.gflops).toBeCloseTo(920 / 2e-6 / 1e9);
    expect(rates.gbytes).toBeCloseTo(8000 / 2e-6 / 1e9);
    expect(rates.share).toBeCloseTo(8000 / 2e-6 / 20e9); // the triad of two threads
  });
  it("computes speed-ups in one case", () => {
    const ratios = speedups(duels, "@choice", "@peers", "warm").map((s) => s.ratio);
    expect(ratios[0]).toBeCloseTo(2);
    expect(ratios[1]).toBeCloseTo(0.5);
    expect(spreadOf(ratios)).toMatchObject({ count: 2, wins: 0.5 });
    expect(spreadOf(ratios).geomean).toBeCloseTo(1);
    expect(speedups(duels, "best", "best", "warm")).toEqual([]);
  });
  it("counts a refused problem of a profile as never", () => {
    const points = profile(duels, ["best", "spmv/csr/sell/openmp"], "warm", 10);
    const last = (name: string) => points.filter((p) => p.contestant === name).at(-1)!.share;
    expect(last("best")).toBe(1);
    expect(last("spmv/csr/sell/openmp")).toBe(0.5); // it took part in one of two
    const start = points.find((p) => p.contestant === "spmv/csr/sell/openmp")!;
    expect([start.factor, start.share]).toEqual([1, 0.5]);
  });
  it("finds the break-even of a preparation", () => {
    const sell = breakEvens(duels).find((b) => b.entry.name === "spmv/csr/sell/openmp")!;
    expect(sell.baseline.name).toBe("spmv/csr/rows/openmp");
    expect(sell.calls).toBe(100); // 40 microseconds more, 0.4 less per call
    expect(sell.gain).toBeCloseTo(1.25);
  });
  it("compares runs by disjoint intervals", () => {
    const slower = lines.map((l) => (Array.isArray(l) && l[0] === "eigen/rowmajor" ? [...l.slice(0, 6), [8, 9, 1, 7.9, 8.1, 7.9], ...l.slice(7)] : l));
    const changes = compareRuns(run, parseResults("b.jsonl", text(slower)));
    expect(changes.filter((c) => c.verdict === "slower").length).toBe(2);
    expect(changes.filter((c) => c.verdict === "same").length).toBe(4);
    expect(changes[0]!.factor).toBeCloseTo(2);
  });
});

describe("rules", () => {
  it("judges the library's choice", () => {
    const judged = judgeChoice(duels);
    expect(judged.map((j) => j.regret)).toEqual([1.25, 1]);
    expect(accuracy(judged)).toBe(0.5);
  });
  it("judges a paper's rule where all of its kernels took part", () => {
    const kernel = (name: string) => ({ ...first.entrants["spmv/csr/rows/openmp"], contestant: name, kernel: name });
    const head = { ...first, entrants: { a: kernel("spgemm/csr/pb/openmp"), b: kernel("spgemm/csr/hash/openmp") } };
    const product = { ...mesh, operation: "spgemm", features: { ...mesh.features, compression: 2 } };
    const record = (name: string, median: number) => [name, 1, 0, 0, null, null, [median, 1, 1], null, null, 0];
    const both = select([parseResults("a", text([head, product, record("a", 3), record("b", 2), product, record("a", 1)]))], noFilters);
    const judged = judgeRule(rules.find((r) => r.operation === "spgemm")!, both);
    expect(judged.length).toBe(1);
    expect(judged[0]).toMatchObject({ picked: "spgemm/csr/pb", best: "spgemm/csr/hash" });
    expect(judged[0]!.regret).toBeCloseTo(1.5);
  });
  it("labels figures once", () => {
    expect(new Set(figures.map((f) => f.label)).size).toBe(figures.length);
  });
});

describe("links and text", () => {
  it("keeps the state in the link", () => {
    const state = { ...defaults, view: "speedup", operation: "spmv", search: "a b&c", show: "x|y", over: "eigen/rowmajor", temperature: "cold" as const };
    expect(fromHash(toHash(state))).toEqual(state);
    expect(toHash(defaults)).toBe("#overview");
    expect(fromHash("")).toEqual(defaults);
    expect(fromHash("#scatter?caches=hot&mode=odd")).toMatchObject({ view: "scatter", temperature: "warm", mode: "whole" });
  });
  it("writes numbers for people", () => {
    expect([significant(1234567), significant(0.012345), significant(NaN), significant(Infinity)]).toEqual(["1,234,567", "0.0123", "–", "∞"]);
    expect([time(0.00123), time(2), time(null), bytes(1500), tick(20000)]).toEqual(["1.23 ms", "2 s", "–", "1.5 kB", "20k"]);
  });
  it("quotes CSV", () => {
    expect(csvOf([{ a: 'x,"y"', b: null }], [{ title: "a", value: (r) => r.a }, { title: "b", value: (r) => r.b }])).toBe('a,b\r\n"x,""y""",\r\n');
  });
});
