// Reads results of every format there is: JSON lines (gossamer-bench/2) and the single document of
// version 1. The schema is bench/schema/results.schema.json.
import type { Contest, Entry, Features, Kind, MatrixDetail, Phase, Refusal, Run, Timing } from "./model";

/** A file that cannot be read, with the place and what was expected there. */
export class BadResults extends Error {
  constructor(
    readonly file: string,
    readonly line: number | null,
    readonly what: string,
  ) {
    super(`${file}${line === null ? "" : `, line ${line}`}: ${what}`);
  }
}

type Json = Record<string, any>;

const MICRO = 1e-6;
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const seconds = (micros: unknown): number | null => (typeof micros === "number" ? micros * MICRO : null);

function finite(value: unknown, what: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Error(`${what} should be a number`);
  return value;
}

function positive(value: unknown, what: string): number {
  const number = finite(value, what);
  if (!(number > 0)) throw new Error(`${what} should be positive, it is ${number}`);
  return number;
}

/** A packed timing: [median, count, calls, min, high, low, q1, q3], in microseconds. */
function unpackTiming(packed: unknown): Timing | null {
  if (packed === null || packed === undefined) return null;
  if (!Array.isArray(packed)) throw new Error("a timing should be an array that begins with the median");
  const median = positive(packed[0], "the median of a timing") * MICRO;
  const min = seconds(packed[3]) ?? median;
  return {
    median,
    count: packed[1] ?? 1,
    calls: packed[2] ?? 1,
    min,
    high: seconds(packed[4]) ?? median,
    low: seconds(packed[5]) ?? min,
  };
}

/** A timing of version 1: an object, in seconds. */
function readTiming(value: unknown): Timing | null {
  if (!isObject(value)) return null;
  const median = positive(value.median, "the median of a timing");
  return {
    median,
    count: value.count ?? value.samples?.length ?? 1,
    calls: value.calls_per_sample ?? 1,
    min: value.min ?? median,
    low: value.low ?? value.min ?? median,
    high: value.high ?? value.max ?? median,
  };
}

function phasesOf(value: unknown): Phase[] {
  return Array.isArray(value) ? value.map((p: Json) => ({ name: String(p.name), seconds: p.seconds, bytes: p.bytes ?? 0 })) : [];
}

function refusalsOf(value: unknown): Refusal[] {
  if (!Array.isArray(value)) return [];
  return value.map((one: Json) => ({
    why: String(one.why ?? ""),
    entrants: one.entrants ?? [one.mode === "numeric" ? `${one.contestant} (numeric)` : one.contestant],
    wrong: one.wrong === true,
  }));
}

function runOf(file: string, context: Json): Run {
  const machine: Json = context.machine ?? {};
  return {
    file,
    date: context.date ?? "",
    version: context.version ?? "",
    commit: context.commit ?? null,
    compiler: [context.build?.compiler, context.build?.flags].filter(Boolean).join(" "),
    cpu: machine.cpu ?? "",
    cores: machine.cores ?? 1,
    simd: machine.simd ?? "",
    caches: { l1: machine.l1, l2: machine.l2, l3: machine.l3 },
    bandwidth: context.bandwidth ?? [],
    devices: context.devices ?? [],
    peers: context.peers ?? [],
    missing: context.missing ?? [],
    expectedCalls: context.method?.expected_calls ?? 1,
    contests: [],
  };
}

function contestOf(run: Run, one: Json, before: Contest | undefined): Contest {
  if (typeof one.operation !== "string") throw new Error("a case should name its operation");
  const matrix: Json | undefined = one.matrix;
  const features: Features | undefined = one.features ?? before?.features;
  if (!matrix && !before) throw new Error("the first case should name its matrix");
  if (!features) throw new Error("the first case should have the features of its matrix");
  finite(features.nnz, "features.nnz");
  return {
    run,
    index: run.contests.length,
    operation: one.operation,
    matrix: matrix ? String(matrix.name) : before!.matrix,
    source: matrix ? (matrix.source ?? "") : before!.source,
    matrixClass: matrix ? matrix.class || "other" : before!.matrixClass,
    labels: matrix ? (matrix.labels ?? []) : before!.labels,
    right: one.right ?? null,
    type: one.type ?? "f64",
    threads: one.threads ?? 1,
    columns: one.columns ?? 1,
    features,
    flop: finite(one.work?.flop, "work.flop of a case"),
    bytes: finite(one.work?.bytes, "work.bytes of a case"),
    choice: one.choice ?? null,
    ceiling: Array.isArray(one.ceiling?.warm) ? unpackTiming(one.ceiling.warm) : readTiming(one.ceiling?.warm),
    refused: refusalsOf(one.refused),
    entries: [],
  };
}

/** What both formats say of a contestant; `times` are the fields in which they differ. */
function entryOf(facts: Json, times: Pick<Entry, "convert" | "prepare" | "first" | "predicted" | "warm" | "cold">): Entry {
  const mode = facts.mode ?? "whole";
  return {
    name: mode === "whole" ? facts.contestant : `${facts.contestant} (${mode})`,
    contestant: String(facts.contestant),
    mode,
    kind: (facts.kind ?? "kernel") as Kind,
    kernel: facts.kernel ?? null,
    format: facts.format ?? null,
    backend: facts.backend ?? "openmp",
    how: facts.how ?? "",
    sorted: facts.sorted ?? true,
    threads: facts.threads ?? 1,
    ...times,
    peakBytes: facts.peak_bytes ?? null,
    error: facts.error ?? null,
    spmvMultiples: facts.spmv_multiples ?? null,
    phases: phasesOf(facts.phases),
    explanation: facts.explanation ?? null,
  };
}

function recordOf(line: unknown[], fields: string[], entrants: Json): Entry {
  if (line.length > fields.length) throw new Error("a record has more values than the first line has fields");
  const values: Json = Object.fromEntries(line.map((value, k) => [fields[k], value]));
  const entrant = entrants[values.entrant];
  if (!isObject(entrant)) throw new Error(`the first line does not name the entrant '${String(values.entrant)}'`);
  const warm = unpackTiming(values.warm);
  if (!warm) throw new Error(`the record of '${values.entrant}' has no warm time`);
  const facts = { ...entrant, threads: values.threads, peak_bytes: values.peak_bytes, error: values.error, ...values.more };
  return entryOf(facts, {
    convert: seconds(values.convert),
    prepare: seconds(values.prepare),
    first: seconds(values.first),
    predicted: seconds(values.predicted),
    warm,
    cold: unpackTiming(values.cold),
  });
}

function parseLines(file: string, lines: string[], first: Json): Run {
  const run = runOf(file, first.context ?? {});
  let number = 1;
  for (const text of lines.slice(1)) {
    ++number;
    if (text.trim() === "") continue;
    try {
      const value = JSON.parse(text);
      if (Array.isArray(value)) {
        const contest = run.contests.at(-1);
        if (!contest) throw new Error("a record comes before the first case");
        contest.entries.push(recordOf(value, first.fields, first.entrants));
      } else if (isObject(value)) {
        run.contests.push(contestOf(run, value, run.contests.at(-1)));
      } else {
        throw new Error("a line should be a case (an object) or a record (an array)");
      }
    } catch (e) {
      throw new BadResults(file, number, (e as Error).message);
    }
  }
  return run;
}

function parseDocument(file: string, document: Json): Run {
  const run = runOf(file, document.context ?? {});
  for (const [k, one] of (document.cases as Json[]).entries())
    try {
      const contest = contestOf(run, one, run.contests.at(-1));
      run.contests.push(contest);
      for (const record of one.records ?? []) {
        const times: Json = record.seconds ?? {};
        const warm = readTiming(times.warm);
        if (!warm) throw new Error(`the record of '${record.contestant}' has no warm time`);
        contest.entries.push(
          entryOf(record, {
            convert: times.convert ?? null,
            prepare: times.prepare ?? null,
            first: times.first ?? null,
            predicted: times.predicted ?? null,
            warm,
            cold: readTiming(times.cold),
          }),
        );
      }
    } catch (e) {
      throw new BadResults(file, null, `cases[${k}]: ${(e as Error).message}`);
    }
  return run;
}

/** The results in `text`. Throws BadResults with the line and what was expected. */
export function parseResults(file: string, text: string): Run {
  if (text.trim() === "") throw new BadResults(file, null, "the file is empty; `gossamer bench … --out FILE` writes one");
  const lines = text.split("\n");
  let first: unknown;
  try {
    first = JSON.parse(lines[0]!);
  } catch {
    try {
      first = JSON.parse(text);
    } catch (e) {
      throw new BadResults(file, 1, `this is no JSON (${(e as Error).message})`);
    }
  }
  const version = isObject(first) ? String(first.schema ?? "") : "";
  if (!isObject(first) || !version.startsWith("gossamer-bench/"))
    throw new BadResults(file, 1, 'the first line should have "schema": "gossamer-bench/2", as `gossamer bench` writes it');
  if (version === "gossamer-bench/1" && Array.isArray(first.cases)) return parseDocument(file, first);
  if (version !== "gossamer-bench/2")
    throw new BadResults(file, 1, `the format is ${version}; this explorer reads gossamer-bench/1 and /2`);
  if (!Array.isArray(first.fields) || !isObject(first.entrants))
    throw new BadResults(file, 1, "the first line should name fields and entrants");
  return parseLines(file, lines, first);
}

/** Details of matrices: one JSON object per line. */
export function parseDetails(file: string, text: string): MatrixDetail[] {
  return text.split("\n").flatMap((line, k) => {
    if (line.trim() === "") return [];
    try {
      const one: Json = JSON.parse(line);
      if (one.schema !== "gossamer-matrix/1") throw new Error('a line should have "schema": "gossamer-matrix/1"');
      return [
        {
          name: String(one.name),
          rows: finite(one.rows, "rows"),
          cols: finite(one.cols, "cols"),
          nnz: finite(one.nnz, "nnz"),
          rowHistogram: one.row_histogram ?? [],
          productHistogram: one.product_histogram,
          spy: one.spy,
          explanations: one.explanations ?? [],
        },
      ];
    } catch (e) {
      throw new BadResults(file, k + 1, (e as Error).message);
    }
  });
}
