// The first page: what was measured where, and Gossamer against the fastest peer in one picture.
import * as Plot from "@observablehq/plot";
import type { Run } from "../data/model";
import { machineName, productName } from "../data/model";
import { select } from "../data/select";
import type { Speedup } from "../data/statistics";
import { speedups, spreadOf } from "../data/statistics";
import { toHash } from "../state";
import { chart } from "../ui/chart";
import { h } from "../ui/dom";
import { bytes, factor, percent, significant, tick, time } from "../ui/format";
import { dataTable } from "../ui/table";
import { currentTheme, paletteOf } from "../ui/theme";
import type { Context, View } from "./view";
import { caseTitle, facts, frame, ink, matrixLink, openMatrix } from "./view";

type Point = Speedup & { file: string; operation: string };

const shortFile = (file: string) => file.replace(/\.jsonl(\.gz)?$/, "");

function runsTable(context: Context, runs: Run[]): HTMLElement {
  return dataTable(runs, [
    { title: "results", value: (r) => r.file, shown: (r) => h("a", { href: toHash({ ...context.state, view: "scatter", file: r.file, operation: r.contests[0]?.operation ?? "" }) }, r.file) },
    { title: "machine", value: (r) => (r.devices[0] ? r.devices[0].name : `${r.cpu}, ${r.cores} cores`) },
    { title: "bandwidth", numeric: true, value: (r) => r.devices[0]?.copy ?? r.bandwidth.at(-1)?.triad ?? null, shown: (r) => `${bytes(r.devices[0]?.copy ?? r.bandwidth.at(-1)?.triad)}/s` },
    { title: "products", value: (r) => [...new Set(r.contests.map((c) => c.operation))].join(", ") },
    { title: "cases", numeric: true, value: (r) => r.contests.length },
    { title: "records", numeric: true, value: (r) => r.contests.reduce((n, c) => n + c.entries.length, 0) },
    { title: "against", value: (r) => r.peers.map((p) => `${p.title} ${p.version}`).join(", ") },
    { title: "expected calls", numeric: true, value: (r) => r.expectedCalls },
    { title: "measured", value: (r) => r.date.slice(0, 10) },
    { title: "commit", value: (r) => r.commit?.slice(0, 10) ?? null },
  ], { caption: "Results in this file" });
}

export const overview: View = {
  id: "overview",
  title: "Overview",
  about: "Time of the fastest peer over that of Gossamer's choice, measured interleaved in the same run. Right of 1 Gossamer is faster.",
  filters: true,
  render: (context) => {
    const data: Point[] = speedups(context.duels, "@choice", "@peers", context.state.temperature)
      .map((s) => ({ ...s, file: shortFile(s.duel.contest.run.file), operation: s.duel.contest.operation }));
    const files = [...new Set(data.map((d) => d.file))];
    const operations = [...new Set(data.map((d) => d.operation))].sort();
    const palette = paletteOf(currentTheme());
    const colourOf = (operation: string) => palette[(["spmv", "spmm", "spgemm"].indexOf(operation) + 3) % 3 + 1]!;
    const spread = spreadOf(data.map((d) => d.ratio));
    const means = files.map((file) => ({ file, ...spreadOf(data.filter((d) => d.file === file).map((d) => d.ratio)) }));
    const records = select(context.loaded.runs, context.state).reduce((n, d) => n + d.entries.length, 0);
    const shown = context.loaded.runs.filter((r) => context.duels.some((d) => d.contest.run === r));
    return [
      data.length > 0
        ? facts([factor(spread.geomean), "faster than the fastest peer (geometric mean)"], [percent(spread.wins), "of the cases faster"], [factor(spread.min), "the worst case"],
            [data.length.toLocaleString("en-US"), "cases with peers"], [records.toLocaleString("en-US"), "records"])
        : "",
      data.length > 0 || context.duels.length === 0 ? chart<Point>({
        name: "gossamer-speedups",
        title: "Gossamer's choice against the fastest peer",
        description: data.length > 0 ? `Each dot is a case, the tick the geometric mean of a results file.` : "",
        draw: (width) => Plot.plot({
          ...frame(width),
          height: 80 + 30 * files.length,
          marginLeft: width < 560 ? 120 : 190,
          marginRight: 60,
          x: { type: "log", label: "speed-up →", grid: true, tickFormat: tick },
          y: { label: null, domain: files },
          color: { domain: operations, range: operations.map(colourOf) },
          marks: [
            Plot.ruleX([1], { stroke: ink().text, strokeWidth: 1.4 }),
            Plot.dot(data, { x: "ratio", y: "file", fill: "operation", fillOpacity: 0.5, r: 4 }),
            Plot.tickX(means, { x: "geomean", y: "file", stroke: ink().text, strokeWidth: 3, insetTop: 4, insetBottom: 4 }),
            Plot.text(means, { y: "file", text: (m) => factor(m.geomean), frameAnchor: "right", dx: 50, textAnchor: "end", fontWeight: "600" }),
            Plot.tip(data, Plot.pointer({
              x: "ratio", y: "file", fill: ink().paper, textPadding: 10,
              title: (p: Point) => `${productName(p.duel.contest)}  ${factor(p.ratio)}\n${caseTitle(p.duel.contest, p.duel.place)}\n` +
                `Gossamer: ${time(p.of.warm.median)} (${p.of.kernel ?? ""})\n${p.over.name}: ${time(p.over.warm.median)}`,
            })),
          ],
        }),
        legend: operations.map((name) => ({ name, colour: colourOf(name) })),
        rows: data,
        columns: [
          { title: "results", value: (p) => p.file },
          { title: "matrix", value: (p) => productName(p.duel.contest), shown: (p) => matrixLink(context, p.duel.contest) },
          { title: "case", value: (p) => caseTitle(p.duel.contest, p.duel.place) },
          { title: "machine", value: (p) => machineName(p.duel.contest.run, p.duel.place) },
          { title: "kernel", value: (p) => p.of.kernel },
          { title: "seconds", value: (p) => p.of.warm.median, numeric: true, shown: (p) => time(p.of.warm.median) },
          { title: "fastest peer", value: (p) => p.over.name },
          { title: "its seconds", value: (p) => p.over.warm.median, numeric: true, shown: (p) => time(p.over.warm.median) },
          { title: "speed-up", value: (p) => p.ratio, numeric: true, shown: (p) => significant(p.ratio) },
        ],
        onPick: (p) => openMatrix(context, p.duel.contest),
      }, context.width) : h("p", { class: "card" }, "No peer took part in these runs; the other views show the kernels."),
      h("section", { class: "card" }, h("h3", {}, "Results in this file"), runsTable(context, shown.length > 0 ? shown : context.loaded.runs)),
    ];
  },
};
