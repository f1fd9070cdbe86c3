// How good choices are: the library's own against an oracle, and the rules of the papers.
import * as Plot from "@observablehq/plot";
import { productName } from "../data/model";
import type { Judgement } from "../data/rules";
import { accuracy, judgeChoice, judgeRule, rules } from "../data/rules";
import { geomean } from "../data/statistics";
import { chart } from "../ui/chart";
import { choice } from "../ui/controls";
import { h } from "../ui/dom";
import { factor, percent, significant, tick } from "../ui/format";
import { dataTable } from "../ui/table";
import { currentTheme, paletteOf } from "../ui/theme";
import { availableX, xAxes } from "./scatter";
import type { View } from "./view";
import { caseTitle, frame, ink, matrixLink, openMatrix } from "./view";

interface Row extends Judgement {
  rule: string;
  x: number;
}

export const heuristics: View = {
  id: "heuristics",
  title: "Choices",
  about: "Regret is the time of the kernel that a rule chose over the fastest it could have chosen. Right means within 2 %.",
  filters: true,
  render: (context) => {
    const x = context.state.x in xAxes ? context.state.x : "nnz";
    const ours = { name: "Gossamer", source: "this library", says: "least predicted time: preparation / expected calls + run", judged: judgeChoice(context.duels) };
    const all = [ours, ...rules.map((r) => ({ name: r.name, source: r.source, says: r.says, judged: judgeRule(r, context.duels) }))].filter((r) => r.judged.length > 0);
    const names = all.map((r) => r.name);
    const palette = paletteOf(currentTheme());
    const rows: Row[] = all.flatMap((r) => r.judged.flatMap((j) => {
      const at = xAxes[x]!.of(j.duel.contest);
      return at && at > 0 ? [{ ...j, rule: r.name, x: at }] : [];
    }));
    return [
      h("div", { class: "controls" }, choice("Horizontal", x, availableX(context), (v) => context.set({ x: v }))),
      all.length > 0
        ? h("section", { class: "card" }, h("h3", {}, "Rules against the oracle"), dataTable(all, [
            { title: "rule", value: (r) => r.name },
            { title: "what it says", value: (r) => r.says },
            { title: "cases", value: (r) => r.judged.length, numeric: true },
            { title: "right", value: (r) => accuracy(r.judged), numeric: true, shown: (r) => percent(accuracy(r.judged)) },
            { title: "mean regret", value: (r) => geomean(r.judged.map((j) => j.regret)), numeric: true, shown: (r) => factor(geomean(r.judged.map((j) => j.regret))) },
            { title: "worst", value: (r) => Math.max(...r.judged.map((j) => j.regret)), numeric: true, shown: (r) => factor(Math.max(...r.judged.map((j) => j.regret))) },
          ], { caption: "Rules against the oracle" }))
        : "",
      chart<Row>({
        name: "gossamer-regret",
        title: "Regret of choices",
        description: rows.length > 0
          ? `${rows.length} choices; on the line at 1 the rule took the fastest. Each rule is judged among the kernels it chooses between.`
          : "No run that is left raced the kernels that a rule chooses between (bench … --all-kernels).",
        draw: (width) => Plot.plot({
          ...frame(width),
          grid: true,
          x: { type: "log", label: `${xAxes[x]!.label} →`, tickFormat: tick },
          y: { type: "log", label: "↑ regret", tickFormat: tick, domain: [0.97, Math.max(1.5, ...rows.map((r) => r.regret)) * 1.05] },
          color: { domain: names, range: names.map((_, k) => palette[k]!) },
          marks: [
            Plot.ruleY([1], { stroke: ink().text }),
            Plot.dot(rows, { x: "x", y: "regret", fill: "rule", fillOpacity: 0.75, r: 4 }),
            Plot.tip(rows, Plot.pointer({
              x: "x", y: "regret", stroke: "rule", fill: ink().paper, textPadding: 10,
              title: (r: Row) => `${productName(r.duel.contest)}  regret ${significant(r.regret)}\n${r.rule} chose ${r.picked}\nfastest: ${r.best}`,
            })),
          ],
        }),
        legend: names.map((name, k) => ({ name, colour: palette[k]! })),
        rows,
        columns: [
          { title: "rule", value: (r) => r.rule },
          { title: "matrix", value: (r) => productName(r.duel.contest), shown: (r) => matrixLink(context, r.duel.contest) },
          { title: "case", value: (r) => caseTitle(r.duel.contest, r.duel.place) },
          { title: "chosen", value: (r) => r.picked },
          { title: "fastest", value: (r) => r.best },
          { title: "regret", value: (r) => r.regret, numeric: true, shown: (r) => significant(r.regret) },
        ],
        onPick: (r) => openMatrix(context, r.duel.contest),
      }, context.width),
    ];
  },
};
