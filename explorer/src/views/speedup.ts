// How much faster one contestant is than another, against what makes matrices differ.
import * as Plot from "@observablehq/plot";
import { productName } from "../data/model";
import { contestants, labelOf, roles, timeOf } from "../data/select";
import type { Speedup } from "../data/statistics";
import { speedups, spreadOf } from "../data/statistics";
import { chart } from "../ui/chart";
import { choice, segments } from "../ui/controls";
import type { Option } from "../ui/controls";
import { h } from "../ui/dom";
import { factor, percent, significant, tick, time } from "../ui/format";
import { currentTheme, paletteOf } from "../ui/theme";
import { availableX, xAxes } from "./scatter";
import type { View } from "./view";
import { caseTitle, facts, frame, ink, matrixLink, openMatrix } from "./view";

type Point = Speedup & { x: number; matrixClass: string };

export const speedup: View = {
  id: "speedup",
  title: "Speed-up",
  about: "Time of the second over time of the first, in the same case of the same run: above 1 the first is faster.",
  filters: true,
  render: (context) => {
    const { state, duels } = context;
    const x = state.x in xAxes ? state.x : "imbalance";
    const options: Option[] = [...Object.entries(roles), ...contestants(duels).map((c): Option => [c.name, labelOf(c.name)])];
    const data: Point[] = speedups(duels, state.of, state.over, state.temperature).flatMap((s) => {
      const at = xAxes[x]!.of(s.duel.contest);
      return at !== undefined && at > 0 ? [{ ...s, x: at, matrixClass: s.duel.contest.matrixClass || "other" }] : [];
    });
    const spread = spreadOf(data.map((d) => d.ratio));
    const classes = [...new Set(data.map((d) => d.matrixClass))].sort();
    const palette = paletteOf(currentTheme());
    const colourOf = (name: string) => palette[classes.indexOf(name) % palette.length]!;
    const [of, over] = [labelOf(state.of), labelOf(state.over)];
    const seconds = (e: Point["of"]) => timeOf(e, state.temperature)!.median;
    return [
      h("div", { class: "controls" },
        choice("Speed-up of", state.of, options, (v) => context.set({ of: v })),
        choice("over", state.over, options, (v) => context.set({ over: v })),
        h("button", { type: "button", class: "quiet swap", onclick: () => context.set({ of: state.over, over: state.of }) }, "⇄ Swap"),
        choice("Horizontal", x, availableX(context), (v) => context.set({ x: v })),
        segments("Caches", state.temperature, [["warm", "warm"], ["cold", "cold"]], (v) => context.set({ temperature: v as "warm" | "cold" }))),
      data.length > 0
        ? facts([factor(spread.geomean), "geometric mean"], [factor(spread.min), "worst"], [factor(spread.max), "best"],
            [percent(spread.wins), "of the cases faster"], [String(spread.count), "cases"])
        : "",
      chart<Point>({
        name: `gossamer-speedup-over-${x}`,
        title: `Speed-up of ${of} over ${over}`,
        description: data.length > 0
          ? `Geometric mean ${significant(spread.geomean)}, from ${significant(spread.min)} to ${significant(spread.max)}, against ${xAxes[x]!.label}.`
          : "Both took part in none of the cases that the filters leave.",
        draw: (width) => Plot.plot({
          ...frame(width),
          grid: true,
          x: { type: "log", label: `${xAxes[x]!.label} →`, tickFormat: tick },
          y: { type: "log", label: "↑ speed-up", tickFormat: tick },
          color: { domain: classes, range: classes.map(colourOf) },
          marks: [
            Plot.ruleY([1], { stroke: ink().text, strokeWidth: 1.3 }),
            Plot.ruleY([spread.geomean], { stroke: ink().accent, strokeDasharray: "6 4" }),
            Plot.text([spread.geomean], { y: (d: number) => d, text: (d: number) => `geomean ${significant(d)}`, frameAnchor: "right", dy: -8, textAnchor: "end", fill: ink().accent }),
            Plot.dot(data, { x: "x", y: "ratio", fill: "matrixClass", fillOpacity: 0.8, r: data.length > 1500 ? 2.5 : 4 }),
            Plot.tip(data, Plot.pointer({
              x: "x", y: "ratio", fill: ink().paper, textPadding: 10,
              title: (p: Point) => `${productName(p.duel.contest)}  ${factor(p.ratio)}\n${caseTitle(p.duel.contest, p.duel.place)}\n` +
                `${p.of.name}: ${time(seconds(p.of))}\n${p.over.name}: ${time(seconds(p.over))}`,
            })),
          ],
        }),
        legend: classes.map((name) => ({ name, colour: colourOf(name) })),
        rows: data,
        columns: [
          { title: "matrix", value: (p) => productName(p.duel.contest), shown: (p) => matrixLink(context, p.duel.contest) },
          { title: "class", value: (p) => p.matrixClass },
          { title: "case", value: (p) => caseTitle(p.duel.contest, p.duel.place) },
          { title: xAxes[x]!.label, value: (p) => p.x, numeric: true, shown: (p) => significant(p.x) },
          { title: "first", value: (p) => p.of.name },
          { title: "its seconds", value: (p) => seconds(p.of), numeric: true, shown: (p) => time(seconds(p.of)) },
          { title: "second", value: (p) => p.over.name },
          { title: "its seconds ", value: (p) => seconds(p.over), numeric: true, shown: (p) => time(seconds(p.over)) },
          { title: "speed-up", value: (p) => p.ratio, numeric: true, shown: (p) => significant(p.ratio) },
        ],
        onPick: (p) => openMatrix(context, p.duel.contest),
      }, context.width),
    ];
  },
};
