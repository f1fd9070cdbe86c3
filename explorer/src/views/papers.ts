// The figures of the four papers: what the paper reports beside what the records here say.
import * as Plot from "@observablehq/plot";
import { productName } from "../data/model";
import type { Figure } from "../data/papers";
import { duelsOf, entryOf, figures } from "../data/papers";
import type { Duel } from "../data/select";
import { ratesOf, spreadOf } from "../data/statistics";
import { chart } from "../ui/chart";
import { h } from "../ui/dom";
import { factor, percent, significant, tick, time } from "../ui/format";
import type { Column } from "../ui/table";
import { currentTheme, paletteOf } from "../ui/theme";
import { xAxes } from "./scatter";
import type { Context, View } from "./view";
import { caseTitle, facts, frame, ink } from "./view";

interface Row {
  duel: Duel;
  series: string;
  x: number | string;
  y: number;
  text: string;
}

interface Result {
  rows: Row[];
  here: string;
  yLabel: string;
  xLabel: string;
}

const spreadText = (ratios: number[]): string => {
  const s = spreadOf(ratios);
  return `${factor(s.geomean)} (geometric mean), ${significant(s.min)} to ${significant(s.max)}, faster on ${percent(s.wins)} of ${s.count}`;
};

function ratesFigure(figure: Figure, duels: Duel[]): Result {
  const rows = duels.flatMap((duel) => figure.series.flatMap((s): Row[] => {
    const e = entryOf(s, duel);
    const x = xAxes[figure.x]!.of(duel.contest);
    if (!e || !x) return [];
    const gflops = ratesOf(duel.contest, e, e.warm).gflops;
    return [{ duel, series: s.label, x, y: gflops, text: `${significant(gflops)} GFLOP/s, ${time(e.warm.median)} (${e.name})` }];
  }));
  const parts = figure.series.slice(1).flatMap((s) => {
    const ratios = duels.flatMap((d) => {
      const [a, b] = [entryOf(figure.series[0]!, d), entryOf(s, d)];
      return a && b ? [b.warm.median / a.warm.median] : [];
    });
    return ratios.length > 0 ? [`${figure.series[0]!.label} over ${s.label}: ${spreadText(ratios)}`] : [];
  });
  return { rows, here: parts.join(". ") + ".", yLabel: "GFLOP/s", xLabel: xAxes[figure.x]!.label };
}

function speedupFigure(figure: Figure, duels: Duel[]): Result {
  const rows = duels.flatMap((duel) => figure.series.slice(1).flatMap((s): Row[] => {
    const [a, b] = [entryOf(figure.series[0]!, duel), entryOf(s, duel)];
    const x = xAxes[figure.x]!.of(duel.contest);
    if (!a || !b || !x) return [];
    const ratio = b.warm.median / a.warm.median;
    return [{ duel, series: `${figure.series[0]!.label} over ${s.label}`, x, y: ratio, text: `${factor(ratio)}: ${time(a.warm.median)} against ${time(b.warm.median)}` }];
  }));
  return { rows, here: rows.length > 0 ? `${spreadText(rows.map((r) => r.y))}.` : "", yLabel: "speed-up", xLabel: xAxes[figure.x]!.label };
}

function profileFigure(figure: Figure, duels: Duel[]): Result {
  const rows: Row[] = [];
  const there = figure.series.filter((s) => duels.some((d) => entryOf(s, d)));
  const factors = new Map<string, number[]>(there.map((s) => [s.label, []]));
  for (const duel of duels) {
    const times = there.map((s) => entryOf(s, duel)?.warm.median ?? Infinity);
    const best = Math.min(...times);
    if (best < Infinity) there.forEach((s, k) => factors.get(s.label)!.push(times[k]! / best));
  }
  for (const [series, all] of factors) {
    const sorted = [...all].sort((a, b) => a - b);
    sorted.forEach((f, k) => f <= 5 && rows.push({ duel: duels[0]!, series, x: f, y: (k + 1) / sorted.length, text: `within ${significant(f)} on ${percent((k + 1) / sorted.length)}` }));
    const last = sorted.filter((f) => f <= 5).length;
    rows.push({ duel: duels[0]!, series, x: 5, y: last / sorted.length, text: `within 5 on ${percent(last / sorted.length)}` });
  }
  const parts = [...factors].map(([name, all]) => `${name} ${percent(all.filter((f) => f <= 1.0001).length / all.length)} (worst ${significant(Math.max(...all))})`);
  return { rows, here: `Fastest on: ${parts.join(", ")}.`, yLabel: "share of problems", xLabel: "time / time of the fastest" };
}

function scalingFigure(figure: Figure, duels: Duel[]): Result {
  const rows: Row[] = [];
  for (const s of figure.series)
    for (const duel of duels) {
      const e = entryOf(s, duel);
      const one = duels.find((d) => d.contest.matrix === duel.contest.matrix && d.contest.threads === 1 && d.contest.run === duel.contest.run);
      const base = one ? entryOf(s, one) : null;
      if (e && base) {
        const gain = base.warm.median / e.warm.median;
        rows.push({ duel, series: `${s.label}, ${duel.contest.matrix}`, x: duel.contest.threads, y: gain, text: `${factor(gain)} with ${duel.contest.threads} threads` });
      }
    }
  const names = [...new Set(rows.map((r) => r.series))];
  const parts = names.map((n) => {
    const last = rows.filter((r) => r.series === n).reduce((a, b) => (Number(b.x) > Number(a.x) ? b : a));
    return `${n}: ${factor(last.y)} with ${last.x} threads`;
  });
  return { rows, here: `${parts.join("; ")}.`, yLabel: "speed-up over one thread", xLabel: "threads" };
}

function conversionFigure(_figure: Figure, duels: Duel[]): Result {
  const rows = duels.flatMap((duel) => duel.entries.flatMap((e): Row[] => {
    const [, from, to] = e.contestant.split("/");
    return e.spmvMultiples && (from === "csr" || to === "csr")
      ? [{ duel, series: `${from} → ${to}`, x: duel.contest.features.nnz, y: e.spmvMultiples, text: `${significant(e.spmvMultiples)} products` }] : [];
  }));
  const all = rows.map((r) => r.y);
  return { rows, here: rows.length > 0 ? `${significant(Math.min(...all))} to ${significant(Math.max(...all))} products; ${percent(all.filter((v) => v < 50).length / all.length)} cost less than 50.` : "", yLabel: "SpMV per conversion", xLabel: "nonzeros of A" };
}

function phasesFigure(figure: Figure, duels: Duel[]): Result {
  const rows: Row[] = [];
  for (const duel of duels) {
    const e = entryOf(figure.series[0]!, duel);
    const total = e?.phases.reduce((sum, p) => sum + p.seconds, 0) ?? 0;
    for (const p of e?.phases ?? []) rows.push({ duel, series: p.name, x: productName(duel.contest), y: p.seconds / total, text: `${p.name}: ${time(p.seconds)}, ${percent(p.seconds / total)}` });
  }
  const names = [...new Set(rows.map((r) => r.series))];
  const mean = (n: string) => { const v = rows.filter((r) => r.series === n).map((r) => r.y); return v.reduce((a, b) => a + b, 0) / v.length; };
  return { rows, here: `Mean shares: ${names.map((n) => `${n} ${percent(mean(n))}`).join(", ")}.`, yLabel: "share of the product", xLabel: "product" };
}

function factorsFigure(_figure: Figure, duels: Duel[]): Result {
  const rows = duels.flatMap((duel): Row[] => {
    const f = duel.contest.features;
    const name = productName(duel.contest);
    return [
      ...(f.expansion ? [{ duel, series: "expansion (multiplications / nonzeros of A)", x: name, y: f.expansion, text: `expansion ${significant(f.expansion)}` }] : []),
      ...(f.compression ? [{ duel, series: "contraction (multiplications / nonzeros of C)", x: name, y: f.compression, text: `contraction ${significant(f.compression)}` }] : []),
    ];
  });
  const expansions = rows.filter((r) => r.series.startsWith("expansion")).map((r) => r.y);
  return { rows, here: expansions.length > 0 ? `Expansion ${significant(Math.min(...expansions))} to ${significant(Math.max(...expansions))}.` : "", yLabel: "factor", xLabel: "product" };
}

const reproduce: Record<Figure["kind"], (figure: Figure, duels: Duel[]) => Result> = {
  rates: ratesFigure, speedup: speedupFigure, profile: profileFigure, scaling: scalingFigure, conversion: conversionFigure, phases: phasesFigure, factors: factorsFigure,
};

function draw(figure: Figure, result: Result, names: string[], width: number) {
  const palette = paletteOf(currentTheme());
  const shared = { ...frame(width), height: 320, color: { domain: names, range: names.map((_, k) => palette[k % palette.length]!) } };
  const tip = { fill: ink().paper, textPadding: 9, title: (r: Row) => (figure.kind === "profile" ? `${r.series}\n${r.text}` : `${productName(r.duel.contest)}\n${r.series}\n${r.text}`) };
  if (figure.kind === "phases" || figure.kind === "factors") {
    const products = [...new Set(result.rows.map((r) => String(r.x)))];
    const narrow = width < 560;
    return Plot.plot({
      ...shared, height: 90 + 24 * products.length, marginLeft: narrow ? 130 : 230,
      x: { label: `${result.yLabel} →`, grid: true, type: figure.kind === "factors" ? "log" : "linear", tickFormat: figure.kind === "phases" ? "%" : tick },
      y: { label: null, domain: products },
      marks: figure.kind === "phases"
        ? [Plot.barX(result.rows, Plot.stackX({ x: "y", y: "x", fill: "series", order: names, title: tip.title, tip: { fill: ink().paper } }))]
        : [Plot.dot(result.rows, { x: "y", y: "x", fill: "series", r: 4.5 }), Plot.tip(result.rows, Plot.pointer({ x: "y", y: "x", ...tip }))],
    });
  }
  const line = figure.kind === "profile" || figure.kind === "scaling";
  return Plot.plot({
    ...shared,
    grid: true,
    x: { type: "log", label: `${result.xLabel} →`, tickFormat: tick },
    y: { type: figure.kind === "profile" ? "linear" : "log", label: `↑ ${result.yLabel}`, tickFormat: figure.kind === "profile" ? "%" : tick, ...(figure.kind === "profile" ? { domain: [0, 1] } : {}) },
    marks: [
      figure.kind === "speedup" ? Plot.ruleY([1], { stroke: ink().text }) : null,
      figure.kind === "conversion" ? Plot.ruleY([50, 280], { stroke: ink().accent, strokeDasharray: "4 4" }) : null,
      line ? Plot.line(result.rows, { x: "x", y: "y", z: "series", stroke: "series", strokeWidth: 2, curve: figure.kind === "profile" ? "step-after" : "linear", sort: "x" }) : null,
      figure.kind === "profile" ? null : Plot.dot(result.rows, { x: "x", y: "y", fill: "series", fillOpacity: 0.8, r: 4 }),
      Plot.tip(result.rows, Plot.pointer({ x: "x", y: "y", stroke: "series", ...tip })),
    ],
  });
}

const columns: Column<Row>[] = [
  { title: "product", value: (r) => productName(r.duel.contest) },
  { title: "case", value: (r) => caseTitle(r.duel.contest, r.duel.place) },
  { title: "series", value: (r) => r.series },
  { title: "horizontal", value: (r) => r.x },
  { title: "vertical", value: (r) => r.y, numeric: true, shown: (r) => significant(r.y) },
];

function machineOf(duels: Duel[]): string {
  return [...new Set(duels.map((d) => (d.place === "cuda" ? d.contest.run.devices[0]?.name ?? "GPU" : `${d.contest.run.cpu}, ${d.contest.threads} threads`)))].join("; ");
}

function figureCard(context: Context, figure: Figure, duels: Duel[], result: Result): HTMLElement {
  const names = [...new Set(result.rows.map((r) => r.series))];
  const palette = paletteOf(currentTheme());
  const shown = chart<Row>({
    name: figure.label.replaceAll(/\W+/g, "-").toLowerCase(),
    title: `${figure.label.replace(/^\w+ /, "")}: ${figure.title}`,
    description: `${figure.paper}. ${new Set(duels.map((d) => d.contest.matrix)).size} matrices.`,
    draw: (width) => draw(figure, result, names, width),
    legend: names.map((name, k) => ({ name, colour: palette[k % palette.length]! })),
    rows: result.rows,
    columns,
  }, context.width);
  shown.id = figure.label.replaceAll(/\W+/g, "-").toLowerCase();
  shown.querySelector("figcaption")!.after(h("div", { class: "verdict" },
    h("div", {}, h("h4", {}, `The paper (${figure.measuredOn})`), h("p", {}, figure.says)),
    h("div", { class: "here" }, h("h4", {}, `Here (${machineOf(duels)})`), h("p", {}, result.here))));
  return shown;
}

export const papers: View = {
  id: "papers",
  title: "Papers",
  about: "Figures and tables of the four papers that these records reproduce, beside what the papers say. Matrices that the papers downloaded are replaced by generated ones (names end in -like): compare how contestants rank, not rates.",
  filters: false,
  render: (context) => {
    const cards: HTMLElement[] = [];
    const absent: Figure[] = [];
    for (const figure of figures) {
      const duels = duelsOf(figure, context.loaded.runs);
      const result = duels.length > 0 ? reproduce[figure.kind](figure, duels) : null;
      if (result && result.rows.length > 0) cards.push(figureCard(context, figure, duels, result));
      else absent.push(figure);
    }
    return [
      facts([`${cards.length} of ${figures.length}`, "figures and tables reproduced by these results"]),
      ...cards,
      absent.length === 0 ? "" : h("section", { class: "card" }, h("h3", {}, "Not in these results"),
        h("ul", {}, absent.map((f) => h("li", {}, h("strong", {}, f.label), `, ${f.title}: `,
          h("code", {}, `gossamer bench ${f.operation} --suite papers${f.operation === "convert" ? "" : ` --label '${f.label}'`} --all-kernels --compare all --out papers.jsonl`))))),
    ];
  },
};
