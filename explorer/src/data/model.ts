// What a file of results holds, in the terms the views use. Times are seconds, sizes bytes.

export type Kind = "kernel" | "choice" | "peer" | "conversion";
export type Place = "cpu" | "cuda" | "reference";

export interface Timing {
  median: number;
  count: number;
  calls: number;
  min: number;
  low: number;
  high: number;
}

export interface Phase {
  name: string;
  seconds: number;
  bytes: number;
}

/** One contestant's times on one problem. */
export interface Entry {
  name: string; // the contestant, with " (numeric)" for repeated values
  contestant: string;
  mode: string;
  kind: Kind;
  kernel: string | null;
  format: string | null;
  backend: string;
  how: string;
  sorted: boolean;
  threads: number;
  convert: number | null;
  prepare: number | null;
  first: number | null;
  predicted: number | null;
  warm: Timing;
  cold: Timing | null;
  peakBytes: number | null;
  error: number | null;
  spmvMultiples: number | null;
  phases: Phase[];
  explanation: unknown;
}

export interface Features {
  rows: number;
  cols: number;
  nnz: number;
  row_min?: number;
  row_mean?: number;
  row_max?: number;
  row_deviation?: number;
  imbalance?: number;
  bandwidth?: number;
  symmetry?: number;
  flop?: number;
  result_nnz?: number;
  compression?: number;
  expansion?: number;
}

export interface Refusal {
  why: string;
  entrants: string[];
  wrong: boolean;
}

export interface Choice {
  kernel: string;
  because: string;
  regret: number | null;
  best: string | null;
}

/** One problem, solved by all contestants in turn. */
export interface Contest {
  run: Run;
  index: number;
  operation: string;
  matrix: string;
  source: string;
  matrixClass: string;
  labels: string[];
  right: string | null;
  type: string;
  threads: number;
  columns: number;
  features: Features;
  flop: number;
  bytes: number;
  choice: Choice | null;
  ceiling: Timing | null;
  refused: Refusal[];
  entries: Entry[];
}

export interface Device {
  name: string;
  copy?: number;
  memory?: number;
  l2?: number;
}

export interface Run {
  file: string;
  date: string;
  version: string;
  commit: string | null;
  compiler: string;
  cpu: string;
  cores: number;
  simd: string;
  caches: { l1?: number; l2?: number; l3?: number };
  bandwidth: { threads: number; copy: number; triad: number }[];
  devices: Device[];
  peers: { name: string; title: string; version: string }[];
  missing: { name: string; why: string }[];
  expectedCalls: number;
  contests: Contest[];
}

/** What is known of a matrix beside its measurements: written by `gossamer explore A.mtx`. */
export interface MatrixDetail {
  name: string;
  rows: number;
  cols: number;
  nnz: number;
  /** Rows by length: bin 0 is empty rows, bin k lengths from 2^(k-1) to 2^k - 1. */
  rowHistogram: number[];
  /** The same for the multiplications per row of A·A; absent where A is not square. */
  productHistogram?: number[];
  /** Nonzeros in a grid of equal tiles, row by row. */
  spy?: { rows: number; cols: number; counts: number[] };
  explanations: { operation: string; text: string }[];
}

/** Where an entry ran. Peers on the host have words of their own for it. */
export function placeOf(entry: Entry): Place {
  if (entry.backend === "cuda") return "cuda";
  return entry.backend === "reference" && entry.kind !== "peer" ? "reference" : "cpu";
}

/** Bytes per second that memory gives: the copy of a device, the triad of as many threads. */
export function bandwidthOf(run: Run, place: Place, threads: number): number | null {
  if (place === "cuda") return run.devices[0]?.copy ?? null;
  let nearest: number | null = null;
  for (const one of run.bandwidth)
    if (nearest === null || one.threads <= threads) nearest = one.triad;
  return nearest;
}

/** The name of a product: the matrix, and the right factor where that is another. */
export function productName(contest: Contest): string {
  const { matrix, right } = contest;
  // Suites name products whose right factor is a recipe; a file on the right is told.
  if (!right || right === "A" || right === "transposed" || right.includes(":")) return matrix;
  return `${matrix} × ${right}`;
}

/** The machine that an entry ran on, for people. */
export function machineName(run: Run, place: Place): string {
  if (place === "cuda") return run.devices[0]?.name ?? "CUDA device";
  return `${run.cpu || "CPU"}, ${run.cores} cores`;
}
