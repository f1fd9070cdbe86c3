// A file of results with known times, as `gossamer bench` writes them (microseconds).
const facts = (contestant: string, kind: string, more: object = {}) => ({
  contestant, mode: "whole", kind, kernel: kind === "peer" ? null : contestant, how: "multiply", format: "csr", backend: "openmp", sorted: true, keeps_zeros: true, ...more,
});

export const first = {
  schema: "gossamer-bench/2",
  context: {
    date: "2026-11-15T08:00:00Z", version: "0.1.0", commit: "441c40a", build: { compiler: "GNU 12.2.0", type: "Release", flags: "-O3" },
    machine: { cpu: "Example CPU", cores: 2, l2: 1048576 },
    bandwidth: [{ threads: 1, copy: 9e9, scale: 9e9, add: 9e9, triad: 10e9 }, { threads: 2, copy: 18e9, scale: 18e9, add: 18e9, triad: 20e9 }],
    devices: [], peers: [{ name: "eigen", title: "Eigen", version: "3.4.0", backend: "openmp" }], missing: [], method: { expected_calls: 1000 },
  },
  fields: ["entrant", "threads", "convert", "prepare", "first", "predicted", "warm", "cold", "peak_bytes", "error", "more"],
  timing: ["median", "count", "calls_per_sample", "min", "high", "low", "q1", "q3"],
  entrants: {
    best: facts("best", "choice", { kernel: "spmv/csr/rows/openmp" }),
    "spmv/csr/rows/openmp": facts("spmv/csr/rows/openmp", "kernel"),
    "spmv/csr/sell/openmp": facts("spmv/csr/sell/openmp", "kernel"),
    "eigen/rowmajor": facts("eigen/rowmajor", "peer"),
  },
};

export const mesh = {
  operation: "spmv", matrix: { name: "mesh", source: "poisson2d:nx=10,ny=10", class: "mesh", labels: ["Anzt Fig. 5"] },
  type: "f64", threads: 2, columns: 1,
  features: { rows: 100, cols: 100, nnz: 460, row_mean: 4.6, row_max: 5, imbalance: 1.09 },
  work: { flop: 920, bytes: 8000 },
  choice: { kernel: "spmv/csr/rows/openmp", because: "short rows", regret: 1.25, best: "spmv/csr/sell/openmp" },
  refused: [{ why: "no memory", entrants: ["rsb/tuned"] }],
};

export const graph = { ...mesh, matrix: { name: "graph", source: "rmat:scale=8", class: "power-law", labels: [] }, features: { rows: 256, cols: 256, nnz: 2048, row_mean: 8, row_max: 90, imbalance: 11.25 },
  work: { flop: 4096, bytes: 40000 }, choice: { kernel: "spmv/csr/rows/openmp", because: "short rows", regret: 1, best: "spmv/csr/rows/openmp" }, refused: [] };

export const lines = [
  first, mesh,
  ["best", 2, 0, 1, 5, 2, [2, 9, 1, 1.9, 2.1, 1.95, 2, 2], [4, 3, 1, 3.9, 4.1], 100, 0.1],
  ["spmv/csr/rows/openmp", 2, 0, 1, 5, 2, [2, 9, 1, 1.9, 2.1, 1.95, 2, 2], [4, 3, 1, 3.9, 4.1], 100, 0.1],
  ["spmv/csr/sell/openmp", 2, 0, 41, 50, 2, [1.6, 9, 1, 1.5, 1.7, 1.55, 1.6, 1.6], null, 100, 0.1],
  ["eigen/rowmajor", 2, 0, 0, null, null, [4, 9, 1, 3.9, 4.1, 3.95, 4, 4], [6, 3, 1, 5.9, 6.1], null, 0.1],
  graph,
  ["best", 2, 0, 1, 5, 2, [8, 9, 1, 7.9, 8.1, 7.95, 8, 8], [10, 3, 1, 9, 11], 100, 0.1],
  ["eigen/rowmajor", 2, 0, 0, null, null, [4, 9, 1, 3.9, 4.1, 3.95, 4, 4], [6, 3, 1, 5.9, 6.1], null, 0.1],
];

export const text = (of: unknown[] = lines): string => of.map((l) => JSON.stringify(l)).join("\n") + "\n";

/** The same mesh as a document of version 1: seconds, objects. */
export const versionOne = JSON.stringify({
  schema: "gossamer-bench/1", context: first.context,
  cases: [{ ...mesh, refused: [{ contestant: "rsb/tuned", mode: "whole", wrong: false, why: "no memory" }],
    records: [{ ...first.entrants["eigen/rowmajor"], threads: 2, seconds: { prepare: 0, warm: { median: 4e-6, count: 9, calls_per_sample: 1, min: 3.9e-6, low: 3.95e-6, high: 4.1e-6 } }, error: 0.1 }] }],
});
