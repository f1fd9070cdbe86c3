// Rates of contestants over the size of the matrix.
import * as Plot from "@observablehq/plot";
import type { Contest, Entry } from "../data/model";
import { machineName, placeOf, productName } from "../data/model";
import { labelOf, timeOf } from "../data/select";
import { ratesOf } from "../data/statistics";
import { chart } from "../ui/chart";
import { choice, segments } from "../ui/controls";
import { h } from "../ui/dom";
import { significant, tick, time } from "../ui/format";
import type { Column } from "../ui/table";
import type { Context, View } from "./view";
import { castOf, caseTitle, frame, ink, openMatrix } from "./view";

interface Point {
  contest: Contest;
  entry: Entry;
  contestant: string;
  x: number;
  y: number;
  seconds: number;
}

export const xAxes: Record<string, { label: string; of: (c: Contest) => number | undefined }> = {
  nnz: { label: "nonzeros of A", of: (c) => c.features.nnz },
  flop: { label: "floating-point operations", of: (c) => c.flop },
  row_mean: { label: "nonzeros per row", of: (c) => c.features.row_mean },
  imbalance: { label: "imbalance: longest row / mean row", of: (c) => c.features.imbalance },
  compression: { label: "compression: multiplications / nonzeros of C", of: (c) => c.features.compression },
  columns: { label: "columns of B", of: (c) => c.columns },
};

const yAxes: Record<string, string> = {
  gflops: "GFLOP/s",
  share: "share of memory bandwidth",
  gbytes: "GB/s (each operand and the result once)",
  seconds: "seconds per product",
};

function points(context: Context, kept: (e: Entry) => boolean, x: string, y: string): Point[] {
  const found: Point[] = [];
  for (const { contest, entries } of context.duels) {
    const at = xAxes[x]!.of(contest);
    if (at === undefined || !(at > 0)) continue;
    for (const entry of entries) {
      const t = kept(entry) ? timeOf(entry, context.state.temperature) : null;
      if (!t) continue;
      const rates = ratesOf(contest, entry, t);
      const value = y === "seconds" ? t.median : rates[y as "gflops" | "share" | "gbytes"];
      if (value !== null && value > 0) found.push({ contest, entry, contestant: entry.name, x: at, y: value, seconds: t.median });
    }
  }
  return found;
}

export function availableX(context: Context): [string, string][] {
  return Object.entries(xAxes)
    .filter(([key, axis]) => context.duels.some((d) => (axis.of(d.contest) ?? 0) > 0) && (key !== "columns" || context.state.operation === "spmm"))
    .map(([key, axis]) => [key, axis.label]);
}

const columns = (y: string): Column<Point>[] => [
  { title: "matrix", value: (p) => productName(p.contest) },
  { title: "class", value: (p) => p.contest.matrixClass },
  { title: "case", value: (p) => caseTitle(p.contest, placeOf(p.entry)) },
  { title: "machine", value: (p) => machineName(p.contest.run, placeOf(p.entry)) },
  { title: "contestant", value: (p) => p.contestant },
  { title: "nonzeros", value: (p) => p.contest.features.nnz, numeric: true, shown: (p) => p.contest.features.nnz.toLocaleString("en-US") },
  { title: "seconds", value: (p) => p.seconds, numeric: true, shown: (p) => time(p.seconds) },
  { title: yAxes[y]!, value: (p) => p.y, numeric: true, shown: (p) => significant(p.y) },
];

function draw(data: Point[], cast: ReturnType<typeof castOf>, x: string, y: string, width: number) {
  const many = data.length > 1500;
  return Plot.plot({
    ...frame(width),
    grid: true,
    x: { type: "log", label: `${xAxes[x]!.label} →`, tickFormat: tick },
    y: { type: "log", label: `↑ ${yAxes[y]}`, tickFormat: y === "seconds" ? time : tick },
    color: { domain: cast.names, range: cast.names.map((n) => cast.colours.get(n)!) },
    marks: [
      y === "share" ? Plot.ruleY([1], { stroke: ink().text, strokeDasharray: "4 4", strokeOpacity: 0.6 }) : null,
      Plot.dot(data, {
        x: "x", y: "y", fill: "contestant", fillOpacity: many ? 0.55 : 0.75, r: many ? 2.5 : 3.8,
        symbol: (p: Point) => (p.entry.kind === "choice" ? "circle" : p.entry.kind === "kernel" ? "triangle" : "square"),
      }),
      Plot.tip(data, Plot.pointer({
        x: "x", y: "y", stroke: "contestant", fill: ink().paper, textPadding: 10,
        title: (p: Point) => `${productName(p.contest)}\n${labelOf(p.contestant)}\n${caseTitle(p.contest, placeOf(p.entry))}\n` +
          `${time(p.seconds)}, ${significant(ratesOf(p.contest, p.entry, { ...p.entry.warm, median: p.seconds }).gflops)} GFLOP/s\n` +
          `${p.contest.features.nnz.toLocaleString("en-US")} nonzeros`,
      })),
    ],
  });
}

export const scatter: View = {
  id: "scatter",
  title: "Rates",
  about: "Every dot is one contestant on one matrix. Above the dashed line data stays in a cache.",
  filters: true,
  render: (context) => {
    const x = context.state.x in xAxes ? context.state.x : "nnz";
    const y = context.state.y in yAxes ? context.state.y : "gflops";
    const cast = castOf(context, context.duels);
    const data = points(context, cast.isKept, x, y);
    return [
      h("div", { class: "controls" },
        segments("Vertical", y, [["gflops", "GFLOP/s"], ["share", "bandwidth share"], ["gbytes", "GB/s"], ["seconds", "time"]], (v) => context.set({ y: v })),
        choice("Horizontal", x, availableX(context), (v) => context.set({ x: v })),
        segments("Caches", context.state.temperature, [["warm", "warm"], ["cold", "cold"]], (v) => context.set({ temperature: v as "warm" | "cold" }))),
      cast.picker,
      chart<Point>({
        name: `gossamer-${y}-over-${x}`,
        title: `${yAxes[y]} over ${xAxes[x]!.label}`,
        description: `${data.length.toLocaleString("en-US")} measurements of ${cast.names.length} contestants; click a dot for the page of its matrix.`,
        draw: (width) => draw(data, cast, x, y, width),
        legend: cast.names.map((n) => ({ name: labelOf(n), colour: cast.colours.get(n)! })),
        rows: data,
        columns: columns(y),
        onPick: (p) => openMatrix(context, p.contest),
      }, context.width),
    ];
  },
};
