import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { add } from "../../src/data/embedded";
import type { Loaded } from "../../src/data/embedded";
import { BadResults, parseDetails, parseResults } from "../../src/data/parse";
import { first, graph, lines, mesh, text, versionOne } from "./fixture";

const results = join(import.meta.dirname, "../../../bench/results");

describe("parseResults", () => {
  it("reads lines: times become seconds, cases inherit nothing they name", () => {
    const run = parseResults("a.jsonl", text());
    expect(run.cpu).toBe("Example CPU");
    expect(run.expectedCalls).toBe(1000);
    expect(run.contests.map((c) => c.matrix)).toEqual(["mesh", "graph"]);
    const best = run.contests[0]!.entries[0]!;
    expect(best.warm.median).toBeCloseTo(2e-6, 12);
    expect(best.warm.low).toBeCloseTo(1.95e-6, 12);
    expect(best.cold?.median).toBeCloseTo(4e-6, 12);
    expect(run.contests[0]!.entries[2]!.cold).toBeNull();
    expect(run.contests[0]!.refused).toEqual([{ why: "no memory", entrants: ["rsb/tuned"], wrong: false }]);
  });

  it("takes matrix and features from the case before where a case has none", () => {
    const { matrix: _m, features: _f, ...bare } = { ...graph, type: "f32" };
    const run = parseResults("a.jsonl", text([...lines, bare]));
    expect(run.contests[2]!.matrix).toBe("graph");
    expect(run.contests[2]!.features.nnz).toBe(2048);
    expect(run.contests[2]!.type).toBe("f32");
  });

  it("reads documents of version 1", () => {
    const run = parseResults("old.json", versionOne);
    expect(run.contests[0]!.entries[0]!.warm.median).toBe(4e-6);
    expect(run.contests[0]!.entries[0]!.name).toBe("eigen/rowmajor");
    expect(run.contests[0]!.refused[0]!.entrants).toEqual(["rsb/tuned"]);
  });

  it("lets a record differ from its entrant", () => {
    const record = ["best", 2, 0, 1, 5, 2, [2, 9, 1], null, 100, 0.1, { kernel: "spmv/csr/sell/openmp", phases: [{ name: "sort", seconds: 1, bytes: 8 }] }];
    const run = parseResults("a.jsonl", text([first, mesh, record]));
    expect(run.contests[0]!.entries[0]!.kernel).toBe("spmv/csr/sell/openmp");
    expect(run.contests[0]!.entries[0]!.phases[0]!.name).toBe("sort");
  });

  const broken: [string, string, RegExp][] = [
    ["nothing", "", /empty/],
    ["no JSON", "hello\nworld", /line 1: this is no JSON/],
    ["other JSON", '{"a": 1}\n', /"schema": "gossamer-bench\/2"/],
    ["a newer version", '{"schema": "gossamer-bench/9", "entrants": {}, "fields": []}\n', /reads gossamer-bench\/1 and \/2/],
    ["a cut line", text().slice(0, -10), /line 9: /],
    ["a record before cases", text([first, lines[2]]), /line 2: a record comes before the first case/],
    ["an unknown entrant", text([first, mesh, ["who", 1, 0, 0, 0, 0, [1], null, null, 0]]), /line 3: .*does not name the entrant 'who'/],
    ["no median", text([first, mesh, ["best", 1, 0, 0, 0, 0, [], null, null, 0]]), /line 3: the median/],
    ["a case without a matrix", text([first, { operation: "spmv", work: { flop: 1, bytes: 1 } }]), /line 2: the first case should name its matrix/],
    ["a case without work", text([first, { ...mesh, work: {} }]), /work\.flop/],
  ];
  it.each(broken)("refuses %s and says why", (_name, content, message) => {
    expect(() => parseResults("broken.jsonl", content)).toThrow(BadResults);
    expect(() => parseResults("broken.jsonl", content)).toThrow(message);
    expect(() => parseResults("broken.jsonl", content)).toThrow(/^broken\.jsonl/);
  });

  it("reads every committed file, all of its records", () => {
    const files = readdirSync(results).filter((f) => f.endsWith(".jsonl"));
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const content = readFileSync(join(results, file), "utf8");
      const run = parseResults(file, content);
      const arrays = content.split("\n").filter((l) => l.startsWith("[")).length;
      expect(run.contests.reduce((n, c) => n + c.entries.length, 0)).toBe(arrays);
    }
  });
});

describe("details and files", () => {
  it("reads details of matrices", () => {
    const one = { schema: "gossamer-matrix/1", name: "A", rows: 4, cols: 4, nnz: 3, row_histogram: [1, 3], spy: { rows: 1, cols: 1, counts: [3] } };
    expect(parseDetails("d", JSON.stringify(one) + "\n")[0]).toMatchObject({ name: "A", rowHistogram: [1, 3], explanations: [] });
    expect(() => parseDetails("d", '{"schema":"other"}')).toThrow(/d, line 1/);
  });

  it("keeps the good files beside a broken one", () => {
    const loaded: Loaded = { runs: [], details: [], problems: [] };
    add(loaded, "good.jsonl", text());
    add(loaded, "bad.jsonl", "[]");
    expect(loaded.runs.length).toBe(1);
    expect(loaded.problems).toEqual([expect.stringMatching(/^bad\.jsonl, line 1/)]);
  });
});
