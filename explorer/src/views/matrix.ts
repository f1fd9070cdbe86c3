// The page of one matrix: what it looks like, what every contestant took, why the choice was made.
import * as Plot from "@observablehq/plot";
import type { Contest, Entry, MatrixDetail } from "../data/model";
import { machineName, placeOf, productName } from "../data/model";
import { labelOf } from "../data/select";
import { ratesOf } from "../data/statistics";
import { toHash } from "../state";
import { chart } from "../ui/chart";
import { choice } from "../ui/controls";
import { h } from "../ui/dom";
import { bytes, count, factor, percent, significant, time } from "../ui/format";
import { dataTable } from "../ui/table";
import { currentTheme, paletteOf } from "../ui/theme";
import { rowHistogram, spyPlot } from "./structure";
import type { Context, View } from "./view";
import { caseId, caseTitle, facts, frame, ink } from "./view";

function contestsOf(context: Context, matrix: string): Contest[] {
  return context.loaded.runs.flatMap((run) => run.contests.filter((c) => c.matrix === matrix && c.entries.length > 0));
}

export function matrixNames(context: Context): string[] {
  const names = new Set(context.duels.map((d) => d.contest.matrix));
  if (names.size === 0) for (const run of context.loaded.runs) for (const c of run.contests) names.add(c.matrix);
  for (const detail of context.loaded.details) names.add(detail.name);
  return [...names].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

function matrixFacts(contest: Contest, detail: MatrixDetail | undefined): HTMLElement {
  const f = contest.features;
  const items: [string, string][] = [
    [`${count(f.rows)} × ${count(f.cols)}`, "rows × columns"],
    [count(f.nnz), "nonzeros"],
    [f.row_mean === undefined ? "–" : significant(f.row_mean), "nonzeros per row"],
    [f.row_max === undefined ? "–" : count(f.row_max), "in the longest row"],
    [f.imbalance === undefined ? "–" : significant(f.imbalance), "imbalance (longest / mean)"],
  ];
  if (f.symmetry !== undefined) items.push([percent(f.symmetry), "of the pattern symmetric"]);
  if (f.bandwidth !== undefined) items.push([count(f.bandwidth), "bandwidth"]);
  if (f.compression !== undefined) items.push([significant(f.compression), "compression of the product"]);
  if (detail) items.push([detail.rowHistogram[0] ? count(detail.rowHistogram[0]) : "0", "empty rows"]);
  return facts(...items);
}

function casePicker(context: Context, contests: Contest[], shown: Contest): HTMLElement {
  return choice("Case", caseId(shown), contests.map((c) => {
    const place = c.entries.some((e) => e.backend === "cuda") ? "cuda" : "cpu";
    return [caseId(c), `${caseTitle(c, place)} · ${c.run.file}`];
  }), (v) => context.set({ contest: v }));
}

interface Bar {
  entry: Entry;
  name: string;
  share: number | null;
  gflops: number;
}

const kindNames = { choice: "Gossamer's choice", kernel: "Gossamer kernel", peer: "peer", conversion: "conversion" } as const;

function timesChart(context: Context, contest: Contest): HTMLElement {
  const bars: Bar[] = contest.entries
    .map((entry) => ({ entry, name: labelOf(entry.name), ...ratesOf(contest, entry, entry.warm) }))
    .sort((a, b) => a.entry.warm.median - b.entry.warm.median);
  const palette = paletteOf(currentTheme());
  const kinds = ["choice", "kernel", "peer", "conversion"].filter((k) => bars.some((b) => b.entry.kind === k));
  const colourOf = (kind: string) => palette[["choice", "kernel", "peer", "conversion"].indexOf(kind)]!;
  const fastest = bars[0]?.entry.warm.median ?? 1;
  const place = contest.entries.some((e) => e.backend === "cuda") ? "cuda" : "cpu";
  return chart<Bar>({
    name: `gossamer-${contest.matrix}-times`.replaceAll(/[^\w-]+/g, "-"),
    title: `Times: ${caseTitle(contest, place)}`,
    description: bars[0] ? `${bars.length} contestants; the fastest is ${bars[0].name} with ${time(fastest)}. Lines are 95 % intervals of the median.` : "",
    draw: (width) => Plot.plot({
      ...frame(width),
      height: 60 + bars.length * 21,
      marginLeft: width < 560 ? 150 : 270,
      x: { type: "log", label: "time per product, warm →", tickFormat: time, grid: true, nice: true },
      y: { label: null, domain: bars.map((b) => b.name), tickFormat: (n: string) => (width < 560 && n.length > 24 ? `…${n.slice(-23)}` : n) },
      color: { domain: kinds, range: kinds.map(colourOf) },
      marks: [
        Plot.ruleX([fastest], { stroke: ink().faint, strokeDasharray: "3 4" }),
        Plot.link(bars, { x1: (b: Bar) => b.entry.warm.low, x2: (b: Bar) => b.entry.warm.high, y1: "name", y2: "name", stroke: (b: Bar) => b.entry.kind, strokeWidth: 2 }),
        Plot.dot(bars, { x: (b: Bar) => b.entry.warm.median, y: "name", fill: (b: Bar) => b.entry.kind, r: 5 }),
        Plot.tip(bars, Plot.pointerY({
          x: (b: Bar) => b.entry.warm.median, y: "name", fill: ink().paper, textPadding: 10,
          title: (b: Bar) => `${b.name}\n${time(b.entry.warm.median)}, ${factor(b.entry.warm.median / fastest)} the fastest\n${significant(b.gflops)} GFLOP/s` +
            (b.share === null ? "" : `, ${percent(b.share)} of the bandwidth`) + (b.entry.how ? `\n${b.entry.how}` : ""),
        })),
      ],
    }),
    legend: kinds.map((k) => ({ name: kindNames[k as keyof typeof kindNames], colour: colourOf(k) })),
    rows: bars,
    columns: [
      { title: "contestant", value: (b) => b.name },
      { title: "format", value: (b) => b.entry.format },
      { title: "threads", value: (b) => b.entry.threads, numeric: true },
      { title: "warm", value: (b) => b.entry.warm.median, numeric: true, shown: (b) => time(b.entry.warm.median) },
      { title: "cold", value: (b) => b.entry.cold?.median ?? null, numeric: true, shown: (b) => time(b.entry.cold?.median ?? null) },
      { title: "first call", value: (b) => b.entry.first, numeric: true, shown: (b) => time(b.entry.first) },
      { title: "convert", value: (b) => b.entry.convert, numeric: true, shown: (b) => time(b.entry.convert) },
      { title: "prepare", value: (b) => b.entry.prepare, numeric: true, shown: (b) => time(b.entry.prepare) },
      { title: "predicted", value: (b) => b.entry.predicted, numeric: true, shown: (b) => time(b.entry.predicted) },
      { title: "GFLOP/s", value: (b) => b.gflops, numeric: true, shown: (b) => significant(b.gflops) },
      { title: "bandwidth share", value: (b) => b.share, numeric: true, shown: (b) => (b.share === null ? "–" : percent(b.share)) },
      { title: "peak memory", value: (b) => b.entry.peakBytes, numeric: true, shown: (b) => bytes(b.entry.peakBytes) },
      { title: "error / allowed", value: (b) => b.entry.error, numeric: true, shown: (b) => (b.entry.error === null ? "–" : significant(b.entry.error)) },
    ],
  }, context.width);
}

function phasesChart(context: Context, contest: Contest): HTMLElement | "" {
  const rows = contest.entries.flatMap((e) => e.phases.map((p) => ({ contestant: labelOf(e.name), ...p })));
  if (rows.length === 0) return "";
  const names = [...new Set(rows.map((r) => r.name))];
  const palette = paletteOf(currentTheme());
  const contestants = [...new Set(rows.map((r) => r.contestant))];
  return chart({
    name: "gossamer-phases",
    title: "Phases",
    description: "Parts of one warm product, as the kernels measured them.",
    draw: (width) => Plot.plot({
      ...frame(width),
      height: 70 + contestants.length * 32,
      marginLeft: width < 560 ? 150 : 270,
      x: { label: "time →", tickFormat: time, grid: true },
      y: { label: null, domain: contestants },
      color: { domain: names, range: names.map((_, k) => palette[(k + 1) % palette.length]!) },
      marks: [
        Plot.barX(rows, Plot.stackX({ x: "seconds", y: "contestant", fill: "name", order: names, insetLeft: 0.5, insetRight: 0.5, tip: {
          fill: ink().paper, format: { x: false, y: false, fill: true } },
          channels: { time: { value: (r: (typeof rows)[number]) => time(r.seconds), label: "time" } } })),
      ],
    }),
    legend: names.map((name, k) => ({ name, colour: palette[(k + 1) % palette.length]! })),
    rows,
    columns: [
      { title: "contestant", value: (r) => r.contestant },
      { title: "phase", value: (r) => r.name },
      { title: "seconds", value: (r) => r.seconds, numeric: true, shown: (r) => time(r.seconds) },
      { title: "bytes", value: (r) => r.bytes, numeric: true, shown: (r) => bytes(r.bytes) },
      { title: "GB/s", value: (r) => r.bytes / r.seconds / 1e9, numeric: true, shown: (r) => significant(r.bytes / r.seconds / 1e9) },
    ],
  }, context.width);
}

function choiceCard(contest: Contest, detail: MatrixDetail | undefined): HTMLElement | "" {
  const explained = detail?.explanations.filter((e) => e.operation === contest.operation) ?? [];
  const c = contest.choice;
  if (!c && explained.length === 0) return "";
  return h("section", { class: "card" },
    h("h3", {}, "What the library chose, and why"),
    c && h("p", {}, h("code", {}, c.kernel), ": ", c.because || "no reason recorded", "."),
    c && c.regret !== null && c.best &&
      h("p", {}, c.regret <= 1.02 ? "The oracle agrees: no kernel of ours was faster. " : `The oracle would have taken ${c.best}. `,
        h("strong", {}, `Regret ${significant(c.regret)}`), h("span", { class: "faint" }, " (its time over that of our fastest kernel, preparation shared by the expected calls).")),
    explained.map((e) => h("pre", {}, e.text)));
}

function refusals(contest: Contest): HTMLElement | "" {
  if (contest.refused.length === 0) return "";
  return h("section", { class: "card" }, h("h3", {}, "Did not take part"),
    h("ul", {}, contest.refused.map((r) => h("li", {}, h("strong", {}, r.entrants.join(", ")), r.wrong ? " gave a wrong result: " : ": ", r.why))));
}

function list(context: Context): HTMLElement {
  const seen = new Map<string, Contest>();
  for (const { contest } of context.duels) if (!seen.has(contest.matrix)) seen.set(contest.matrix, contest);
  return dataTable([...seen.values()], [
    { title: "matrix", value: (c) => c.matrix, shown: (c) => h("a", { href: toHash({ ...context.state, matrix: c.matrix, contest: "" }) }, c.matrix) },
    { title: "class", value: (c) => c.matrixClass },
    { title: "rows", value: (c) => c.features.rows, numeric: true, shown: (c) => count(c.features.rows) },
    { title: "columns", value: (c) => c.features.cols, numeric: true, shown: (c) => count(c.features.cols) },
    { title: "nonzeros", value: (c) => c.features.nnz, numeric: true, shown: (c) => count(c.features.nnz) },
    { title: "per row", value: (c) => c.features.row_mean ?? null, numeric: true, shown: (c) => significant(c.features.row_mean ?? NaN) },
    { title: "imbalance", value: (c) => c.features.imbalance ?? null, numeric: true, shown: (c) => significant(c.features.imbalance ?? NaN) },
    { title: "source", value: (c) => c.source, shown: (c) => h("code", {}, c.source) },
  ], { caption: "Matrices" });
}

export const matrix: View = {
  id: "matrix",
  title: "Matrices",
  about: "One matrix: its rows, all contestants' times, phases, the explanation and the regret of the choice.",
  filters: true,
  render: (context) => {
    const { state } = context;
    const names = matrixNames(context);
    const picker = choice("Matrix", state.matrix, [["", `all ${names.length} matrices`], ...names.map((n): [string, string] => [n, n])],
      (v) => context.set({ matrix: v, contest: "" }));
    if (!state.matrix) return [h("div", { class: "controls" }, picker), h("div", { class: "card" }, list(context))];
    const detail = context.loaded.details.find((d) => d.name === state.matrix);
    const all = contestsOf(context, state.matrix);
    const filtered = new Set(context.duels.map((d) => d.contest));
    const shown = all.find((c) => caseId(c) === state.contest) ?? all.find((c) => filtered.has(c)) ?? all[0];
    const structure = detail ? [h("div", { class: "pair" }, rowHistogram(detail, context.width), spyPlot(detail, context.width))] : [];
    if (!shown) return [h("div", { class: "controls" }, picker), detail ? "" : h("p", { class: "card nothing" }, `No record is about '${state.matrix}'.`), ...structure];
    const place = shown.entries.some((e) => placeOf(e) === "cuda") ? "cuda" : "cpu";
    return [
      h("div", { class: "controls" }, picker, casePicker(context, all, shown)),
      h("p", { class: "faint" }, `${productName(shown)} is ${shown.matrixClass ? `of class ${shown.matrixClass}, ` : ""}from `, h("code", {}, shown.source || "?"),
        `; measured on ${machineName(shown.run, place)}, ${shown.run.date.slice(0, 10)}.`),
      matrixFacts(shown, detail),
      choiceCard(shown, detail),
      timesChart(context, shown),
      phasesChart(context, shown),
      ...structure,
      refusals(shown),
    ];
  },
};
