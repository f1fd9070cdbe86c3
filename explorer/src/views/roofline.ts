// Rooflines: what the memory of a machine allows, and what contestants attain. For sparse products
// also the three bounds of Gu et al. over the compression factor.
import * as Plot from "@observablehq/plot";
import type { Contest, Entry, Place, Run } from "../data/model";
import { bandwidthOf, machineName, productName } from "../data/model";
import { labelOf, timeOf } from "../data/select";
import { chart } from "../ui/chart";
import { choice, segments } from "../ui/controls";
import { h } from "../ui/dom";
import { bytes, percent, significant, tick, time } from "../ui/format";
import type { Context, View } from "./view";
import { castOf, caseTitle, frame, ink, matrixLink, openMatrix } from "./view";

interface Machine {
  key: string;
  label: string;
  run: Run;
  place: Place;
  threads: number;
  bandwidth: number;
}

interface Point {
  contest: Contest;
  entry: Entry;
  contestant: string;
  x: number;
  gflops: number;
  bound: number;
}

/** Bytes per nonzero of a triplet in the model of Gu et al. */
const tripletBytes = 16;
export const guBounds: { name: string; intensity: (cf: number) => number }[] = [
  { name: "each operand and C once: cf / b", intensity: (cf) => cf / tripletBytes },
  { name: "one pass over the expanded C: cf / ((2 + cf) b)", intensity: (cf) => cf / ((2 + cf) * tripletBytes) },
  { name: "write and read the expanded C: cf / ((3 + 2 cf) b)", intensity: (cf) => cf / ((3 + 2 * cf) * tripletBytes) },
];

function machines(context: Context): Machine[] {
  const found = new Map<string, Machine>();
  for (const { contest, place } of context.duels) {
    const bandwidth = bandwidthOf(contest.run, place, contest.threads);
    if (!bandwidth) continue;
    const threads = place === "cuda" ? 1 : contest.threads;
    const key = `${contest.run.file}|${place}|${threads}`;
    const label = `${machineName(contest.run, place)}${place === "cuda" ? "" : `, ${threads} ${threads === 1 ? "thread" : "threads"}`} (${contest.run.file})`;
    found.set(key, found.get(key) ?? { key, label, run: contest.run, place, threads, bandwidth });
  }
  return [...found.values()];
}

function points(context: Context, on: Machine, overCompression: boolean, kept: (e: Entry) => boolean): Point[] {
  const found: Point[] = [];
  for (const { contest, place, entries } of context.duels) {
    if (contest.run !== on.run || place !== on.place || (place !== "cuda" && contest.threads !== on.threads)) continue;
    const intensity = contest.flop / contest.bytes;
    const x = overCompression ? contest.features.compression : intensity;
    if (!x || !(contest.flop > 0)) continue;
    for (const entry of entries) {
      const t = kept(entry) ? timeOf(entry, context.state.temperature) : null;
      if (t) found.push({ contest, entry, contestant: entry.name, x, gflops: contest.flop / t.median / 1e9, bound: (on.bandwidth * intensity) / 1e9 });
    }
  }
  return found;
}

export const roofline: View = {
  id: "roofline",
  title: "Roofline",
  about: "The line is what memory allows if every operand and the result move once. Dots above it: data stayed in a cache.",
  filters: true,
  render: (context) => {
    const { state } = context;
    const all = machines(context);
    const on = all.find((m) => m.key === state.y) ?? all[0];
    const cast = castOf(context, context.duels.filter((d) => !on || d.contest.run === on.run));
    const sparse = context.duels.some((d) => d.contest.features.compression);
    const overCompression = sparse && state.x === "compression";
    const data = on ? points(context, on, overCompression, cast.isKept) : [];
    const xs = data.map((p) => p.x);
    const [least, largest] = [Math.min(...xs) / 1.3, Math.max(...xs) * 1.3];
    const samples = Array.from({ length: 60 }, (_, k) => least * (largest / least) ** (k / 59));
    const lines = !on ? [] : overCompression
      ? guBounds.flatMap((b) => samples.map((x) => ({ name: b.name, x, y: (on.bandwidth * 2 * b.intensity(x)) / 1e9 })))
      : samples.map((x) => ({ name: "memory bandwidth", x, y: (on.bandwidth * x) / 1e9 }));
    return [
      h("div", { class: "controls" },
        choice("Machine", on?.key ?? "", all.map((m) => [m.key, m.label]), (v) => context.set({ y: v })),
        sparse ? segments("Horizontal", overCompression ? "compression" : "intensity",
          [["intensity", "operations per byte"], ["compression", "compression, bounds of Gu et al."]], (v) => context.set({ x: v })) : "",
        segments("Caches", state.temperature, [["warm", "warm"], ["cold", "cold"]], (v) => context.set({ temperature: v as "warm" | "cold" }))),
      cast.picker,
      chart<Point>({
        name: "gossamer-roofline",
        title: on ? `Roofline: ${on.label}` : "Roofline",
        description: on
          ? `Measured bandwidth ${bytes(on.bandwidth)}/s. ${data.length} measurements${overCompression ? "; lines are the bounds of Gu et al. with 16 bytes per nonzero" : ""}.`
          : "No run with a measured bandwidth is left.",
        draw: (width) => Plot.plot({
          ...frame(width),
          grid: true,
          x: { type: "log", label: overCompression ? "compression: multiplications / nonzeros of C →" : "operations per byte moved at least →", tickFormat: tick },
          y: { type: "log", label: "↑ GFLOP/s", tickFormat: tick },
          color: { domain: cast.names, range: cast.names.map((n) => cast.colours.get(n)!) },
          marks: [
            Plot.line(lines, { x: "x", y: "y", z: "name", stroke: ink().text, strokeWidth: 1.6, strokeDasharray: overCompression ? "5 3" : "none" }),
            Plot.text(lines, Plot.selectLast({ x: "x", y: "y", z: "name", text: "name", textAnchor: "end", dy: -9, dx: -4, fill: ink().faint })),
            Plot.dot(data, { x: "x", y: "gflops", fill: "contestant", fillOpacity: 0.75, r: 3.8 }),
            Plot.tip(data, Plot.pointer({
              x: "x", y: "gflops", stroke: "contestant", fill: ink().paper, textPadding: 10,
              title: (p: Point) => `${productName(p.contest)}\n${labelOf(p.contestant)}\n${significant(p.gflops)} GFLOP/s, ${percent(p.gflops / p.bound)} of the bound`,
            })),
          ],
        }),
        legend: cast.names.map((n) => ({ name: labelOf(n), colour: cast.colours.get(n)! })),
        rows: data,
        columns: [
          { title: "matrix", value: (p) => productName(p.contest), shown: (p) => matrixLink(context, p.contest) },
          { title: "case", value: (p) => caseTitle(p.contest, on?.place) },
          { title: "contestant", value: (p) => p.contestant },
          { title: "operations per byte", value: (p) => p.contest.flop / p.contest.bytes, numeric: true, shown: (p) => significant(p.contest.flop / p.contest.bytes) },
          { title: "seconds", value: (p) => p.contest.flop / p.gflops / 1e9, numeric: true, shown: (p) => time(p.contest.flop / p.gflops / 1e9) },
          { title: "GFLOP/s", value: (p) => p.gflops, numeric: true, shown: (p) => significant(p.gflops) },
          { title: "bound GFLOP/s", value: (p) => p.bound, numeric: true, shown: (p) => significant(p.bound) },
          { title: "share", value: (p) => p.gflops / p.bound, numeric: true, shown: (p) => percent(p.gflops / p.bound) },
        ],
        onPick: (p) => openMatrix(context, p.contest),
      }, context.width),
    ];
  },
};
