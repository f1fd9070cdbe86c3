// The numbers behind the views: rates, speed-ups, profiles, regret, break-even, comparison.
import type { Contest, Entry, Run, Timing } from "./model";
import { bandwidthOf, placeOf, productName } from "./model";
import type { Duel, Temperature } from "./select";
import { entryFor, timeOf } from "./select";

export function geomean(values: number[]): number {
  if (values.length === 0) return NaN;
  return Math.exp(values.reduce((sum, v) => sum + Math.log(v), 0) / values.length);
}

export function quantile(sorted: number[], q: number): number {
  if (sorted.length === 0) return NaN;
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const high = Math.ceil(at);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

export interface Rates {
  gflops: number;
  gbytes: number;
  share: number | null; // of the memory bandwidth
}

/** As bench/records/rates.cpp computes them. A conversion writes about as much as it reads. */
export function ratesOf(contest: Contest, entry: Entry, time: Timing): Rates {
  const rate = ((entry.kind === "conversion" ? 2 : 1) * contest.bytes) / time.median;
  const bandwidth = bandwidthOf(contest.run, placeOf(entry), entry.threads);
  return { gflops: contest.flop / time.median / 1e9, gbytes: rate / 1e9, share: bandwidth ? rate / bandwidth : null };
}

// ---- Speed-up

export interface Speedup {
  duel: Duel;
  of: Entry;
  over: Entry;
  ratio: number; // time of `over` / time of `of`: more than 1 means `of` is faster
}

export function speedups(duels: Duel[], of: string, over: string, temperature: Temperature): Speedup[] {
  return duels.flatMap((duel) => {
    const a = entryFor(duel, of, temperature);
    const b = entryFor(duel, over, temperature);
    if (!a || !b || a === b) return [];
    return [{ duel, of: a, over: b, ratio: timeOf(b, temperature)!.median / timeOf(a, temperature)!.median }];
  });
}

export interface Spread {
  count: number;
  geomean: number;
  min: number;
  max: number;
  wins: number; // share with a ratio above 1
}

export function spreadOf(ratios: number[]): Spread {
  return {
    count: ratios.length,
    geomean: geomean(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
    wins: ratios.filter((r) => r > 1).length / ratios.length,
  };
}

// ---- Performance profile (Dolan and Moré): the share of problems within a factor t of the best

export interface ProfilePoint {
  contestant: string;
  factor: number;
  share: number;
}

/** Problems that a contestant refused count as never; all duels are counted. */
export function profile(duels: Duel[], names: string[], temperature: Temperature, most = 10): ProfilePoint[] {
  const factors = new Map<string, number[]>(names.map((n) => [n, []]));
  let problems = 0;
  for (const duel of duels) {
    const times = names.map((n) => {
      const e = entryFor(duel, n, temperature);
      return e ? timeOf(e, temperature)!.median : Infinity;
    });
    const best = Math.min(...times);
    if (best === Infinity) continue;
    ++problems;
    names.forEach((n, k) => factors.get(n)!.push(times[k]! / best));
  }
  const points: ProfilePoint[] = [];
  for (const name of names) {
    const sorted = factors.get(name)!.filter(Number.isFinite).sort((a, b) => a - b);
    if (problems === 0) continue;
    let share = 0;
    points.push({ contestant: name, factor: 1, share: sorted.filter((f) => f <= 1).length / problems });
    sorted.forEach((factor, k) => {
      if (factor > most) return;
      share = (k + 1) / problems;
      points.push({ contestant: name, factor, share });
    });
    points.push({ contestant: name, factor: most, share });
  }
  return points;
}

// ---- Break-even: calls after which a format with its conversion beats what runs at once

export interface BreakEven {
  duel: Duel;
  entry: Entry;
  baseline: Entry;
  calls: number; // Infinity: never
  onceSeconds: number;
  gain: number; // time of the baseline over that of the entry
}

const onceOf = (e: Entry) => (e.convert ?? 0) + (e.prepare ?? 0);

/** The baseline is the fastest of our kernels for a single call. */
export function breakEvens(duels: Duel[]): BreakEven[] {
  return duels.flatMap((duel) => {
    const ours = duel.entries.filter((e) => e.kind === "kernel");
    const baseline = ours.reduce<Entry | null>(
      (best, e) => (!best || onceOf(e) + e.warm.median < onceOf(best) + best.warm.median ? e : best), null);
    if (!baseline) return [];
    return ours.flatMap((entry) => {
      if (entry === baseline) return [];
      const once = onceOf(entry) - onceOf(baseline);
      const saved = baseline.warm.median - entry.warm.median;
      const calls = once <= 0 && saved >= 0 ? 0 : saved > 0 ? Math.ceil((Math.max(0, once) / saved) * (1 - 1e-9)) : Infinity;
      return [{ duel, entry, baseline, calls, onceSeconds: onceOf(entry), gain: baseline.warm.median / entry.warm.median }];
    });
  });
}

// ---- Comparison of two runs

export interface Change {
  key: string;
  contestant: string;
  kind: Entry["kind"];
  before: { contest: Contest; entry: Entry };
  after: { contest: Contest; entry: Entry };
  factor: number; // after / before: less than 1 is faster
  verdict: "faster" | "slower" | "same";
}

export function contestKey(c: Contest): string {
  return [c.operation, productName(c), c.type, `${c.threads} threads`, c.operation === "spmm" ? `${c.columns} columns` : ""]
    .filter(Boolean).join(", ");
}

/** A change counts when the 95 % intervals of the medians are disjoint and it exceeds the threshold. */
export function compareRuns(before: Run, after: Run, threshold = 0.05): Change[] {
  const known = new Map<string, { contest: Contest; entry: Entry }>();
  for (const contest of before.contests)
    for (const entry of contest.entries) known.set(`${contestKey(contest)}|${entry.name}`, { contest, entry });
  const changes: Change[] = [];
  for (const contest of after.contests)
    for (const entry of contest.entries) {
      const old = known.get(`${contestKey(contest)}|${entry.name}`);
      if (!old) continue;
      const a = old.entry.warm;
      const b = entry.warm;
      const factor = b.median / a.median;
      const disjoint = b.low > a.high || b.high < a.low;
      const verdict = !disjoint || Math.abs(Math.log(factor)) < Math.log1p(threshold) ? "same" : factor < 1 ? "faster" : "slower";
      changes.push({ key: contestKey(contest), contestant: entry.name, kind: entry.kind, before: old, after: { contest, entry }, factor, verdict });
    }
  return changes.sort((x, y) => y.factor - x.factor);
}
