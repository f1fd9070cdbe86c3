// What a matrix looks like: rows by length in the three colours of Dalton et al., and where its
// nonzeros are.
import * as Plot from "@observablehq/plot";
import type { MatrixDetail } from "../data/model";
import { chart } from "../ui/chart";
import { count, significant, tick } from "../ui/format";
import { currentTheme, groupColours } from "../ui/theme";
import { frame, ink } from "./view";

export interface Bin {
  of: string;
  from: number;
  to: number;
  rows: number;
  group: number;
}

/** Fig. 5 of Dalton, Bell and Olson: below 128 (a warp), below 1,024 (a block), beyond. */
export const groupNames = ["below 128: a warp", "128 to 1,023: a block", "1,024 and more"];

export function binsOf(histogram: number[], of: string): Bin[] {
  return histogram.flatMap((rows, k) => {
    const from = k === 0 ? 0 : 2 ** (k - 1);
    const to = k === 0 ? 0 : 2 ** k - 1;
    return rows === 0 ? [] : [{ of, from, to, rows, group: to < 128 ? 0 : to < 1024 ? 1 : 2 }];
  });
}

const rangeName = (b: Bin) => (b.from === b.to ? count(b.from) : `${count(b.from)}–${count(b.to)}`);

export function rowHistogram(detail: MatrixDetail, width: number): HTMLElement {
  const ofA = binsOf(detail.rowHistogram, "rows of A, by nonzeros");
  const ofProduct = detail.productHistogram ? binsOf(detail.productHistogram, "rows of A·A, by multiplications") : [];
  const bins = [...ofA, ...ofProduct];
  const colours = groupColours[currentTheme()];
  const facets = [...new Set(bins.map((b) => b.of))];
  const domain = [...new Set([...bins].sort((a, b) => a.from - b.from).map(rangeName))];
  return chart<Bin>({
    name: `gossamer-${detail.name}-rows`.replaceAll(/[^\w-]+/g, "-"),
    title: "Rows by length",
    description: `${count(detail.rows)} rows. Colours as in Dalton et al.: which group of GPU threads such a row of the product suits.`,
    draw: (most) => Plot.plot({
      ...frame(Math.min(most, width < 900 ? width : width / 2 - 30)),
      height: 190 * facets.length + 60,
      marginBottom: 70,
      x: { domain, label: "length →", tickRotate: -35 },
      y: { type: "sqrt", label: "↑ rows", tickFormat: tick, grid: true },
      fy: { label: null, domain: facets, axis: null },
      color: { domain: [0, 1, 2], range: colours.slice(0, 3) },
      marks: [
        Plot.barY(bins, { x: rangeName, y: "rows", fy: "of", fill: "group", insetLeft: 1, insetRight: 1, title: (b: Bin) => `${count(b.rows)} rows of length ${rangeName(b)}`, tip: { fill: ink().paper } }),
        Plot.text(facets, { fy: (f: string) => f, text: (f: string) => f, frameAnchor: "top-right", fill: ink().faint, dy: 2 }),
        Plot.ruleY([0]),
      ],
    }),
    legend: groupNames.map((name, k) => ({ name, colour: colours[k]! })),
    rows: bins,
    columns: [
      { title: "of", value: (b) => b.of },
      { title: "from", value: (b) => b.from, numeric: true },
      { title: "to", value: (b) => b.to, numeric: true },
      { title: "rows", value: (b) => b.rows, numeric: true, shown: (b) => count(b.rows) },
    ],
  }, width);
}

export function spyPlot(detail: MatrixDetail, width: number): HTMLElement | string {
  const spy = detail.spy;
  if (!spy) return "";
  const most = spy.counts.reduce((a, b) => Math.max(a, b), 0);
  const tiles = spy.counts.flatMap((n, k) => (n === 0 ? [] : [{ row: Math.floor(k / spy.cols), column: k % spy.cols, nnz: n }]));
  const side = Math.min(width, width < 900 ? width : width / 2 - 30, 520);
  return chart<(typeof tiles)[number]>({
    name: `gossamer-${detail.name}-spy`.replaceAll(/[^\w-]+/g, "-"),
    title: "Where the nonzeros are",
    description: `A grid of ${spy.rows} × ${spy.cols} tiles; the darker, the more nonzeros (at most ${count(most)}).`,
    draw: () => Plot.plot({
      ...frame(side),
      width: side,
      height: Math.max(160, Math.min(side * 1.15, (side - 80) * (spy.rows / spy.cols) + 60)),
      marginLeft: 60,
      x: { domain: [0, spy.cols], label: "column →", tickFormat: (t: number) => significant((t / spy.cols) * detail.cols, 2), ticks: 5 },
      y: { domain: [spy.rows, 0], label: "row ↓", tickFormat: (t: number) => significant((t / spy.rows) * detail.rows, 2), ticks: 5 },
      marks: [
        Plot.frame({ stroke: ink().grid }),
        Plot.rect(tiles, {
          x1: "column", x2: (t) => t.column + 1, y1: "row", y2: (t) => t.row + 1, fill: ink().text,
          fillOpacity: (t) => 0.18 + 0.82 * (Math.log1p(t.nnz) / Math.log1p(most)),
        }),
      ],
    }),
    rows: tiles,
    columns: [
      { title: "tile row", value: (t) => t.row, numeric: true },
      { title: "tile column", value: (t) => t.column, numeric: true },
      { title: "nonzeros", value: (t) => t.nnz, numeric: true },
    ],
  }, side);
}
