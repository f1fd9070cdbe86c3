// Two runs side by side: what became faster, what slower, what is noise.
import * as Plot from "@observablehq/plot";
import type { Run } from "../data/model";
import { matchesSearch } from "../data/select";
import type { Change } from "../data/statistics";
import { compareRuns, geomean } from "../data/statistics";
import { chart } from "../ui/chart";
import { choice } from "../ui/controls";
import { h } from "../ui/dom";
import { factor, significant, tick, time } from "../ui/format";
import { currentTheme, paletteOf } from "../ui/theme";
import type { View } from "./view";
import { facts, frame, ink, matrixLink, openMatrix } from "./view";

function pairScore(a: Run, b: Run): number {
  const keys = new Set(a.contests.map((c) => `${c.operation} ${c.matrix}`));
  return b.contests.filter((c) => keys.has(`${c.operation} ${c.matrix}`)).length;
}

export const compare: View = {
  id: "compare",
  title: "Compare runs",
  about: "A change counts when the 95 % intervals of the two medians are disjoint and it exceeds 5 %. Runs of different machines: only ratios within a run mean something.",
  filters: true,
  render: (context) => {
    const { runs } = context.loaded;
    const { state } = context;
    const options = runs.map((r): [string, string] => [r.file, `${r.file} (${r.date.slice(0, 10)}${r.commit ? `, ${r.commit.slice(0, 10)}` : ""})`]);
    if (runs.length < 2) return [h("p", { class: "card nothing" }, "Comparing takes two results files: gossamer explore before.jsonl after.jsonl")];
    const before = runs.find((r) => r.file === state.before) ?? runs[0]!;
    const others = runs.filter((r) => r !== before);
    const after = runs.find((r) => r.file === state.after) ?? others.reduce((a, b) => (pairScore(before, b) > pairScore(before, a) ? b : a));
    const changes = compareRuns(before, after).filter((c) =>
      (state.operation === "" || c.after.contest.operation === state.operation) && (state.type === "" || c.after.contest.type === state.type) &&
      (state.search.trim() === "" || matchesSearch(c.after.contest, state.search.trim())));
    const names = ["faster", "same", "slower"] as const;
    const palette = paletteOf(currentTheme());
    const colours = { faster: palette[2]!, same: palette[7]!, slower: palette[0]! };
    const sameMachine = before.cpu === after.cpu && before.cores === after.cores;
    const number = (v: Change["verdict"]) => String(changes.filter((c) => c.verdict === v).length);
    return [
      h("div", { class: "controls" },
        choice("Before", before.file, options, (v) => context.set({ before: v })),
        choice("After", after.file, options, (v) => context.set({ after: v })),
        h("button", { type: "button", class: "quiet swap", onclick: () => context.set({ before: after.file, after: before.file }) }, "⇄ Swap")),
      sameMachine ? "" : h("p", { class: "card warning" }, `The machines differ (${before.cpu}, ${before.cores} cores; ${after.cpu}, ${after.cores} cores): times of the two say little about the code.`),
      changes.length > 0
        ? facts([number("faster"), "faster"], [number("slower"), "slower"], [number("same"), "within noise"], [factor(geomean(changes.map((c) => c.factor))), "after / before, geometric mean"])
        : "",
      chart<Change>({
        name: "gossamer-comparison",
        title: `${after.file} against ${before.file}`,
        description: changes.length > 0 ? `${changes.length} pairs of records; below 1 the second run is faster.` : "The two runs share no record that the filters leave.",
        draw: (width) => Plot.plot({
          ...frame(width),
          grid: true,
          x: { type: "log", label: "time before →", tickFormat: time },
          y: { type: "log", label: "↑ after / before", tickFormat: tick },
          color: { domain: [...names], range: names.map((n) => colours[n]) },
          marks: [
            Plot.ruleY([1], { stroke: ink().text }),
            Plot.dot(changes, { x: (c: Change) => c.before.entry.warm.median, y: "factor", fill: "verdict", fillOpacity: 0.75, r: 3.6 }),
            Plot.tip(changes, Plot.pointer({
              x: (c: Change) => c.before.entry.warm.median, y: "factor", stroke: "verdict", fill: ink().paper, textPadding: 10,
              title: (c: Change) => `${c.contestant}\n${c.key}\n${time(c.before.entry.warm.median)} → ${time(c.after.entry.warm.median)} (${factor(c.factor)})`,
            })),
          ],
        }),
        legend: names.map((name) => ({ name, colour: colours[name] })),
        rows: changes,
        columns: [
          { title: "matrix", value: (c) => c.after.contest.matrix, shown: (c) => matrixLink(context, c.after.contest) },
          { title: "case", value: (c) => c.key },
          { title: "contestant", value: (c) => c.contestant },
          { title: "before", value: (c) => c.before.entry.warm.median, numeric: true, shown: (c) => time(c.before.entry.warm.median) },
          { title: "after", value: (c) => c.after.entry.warm.median, numeric: true, shown: (c) => time(c.after.entry.warm.median) },
          { title: "after / before", value: (c) => c.factor, numeric: true, shown: (c) => significant(c.factor) },
          { title: "verdict", value: (c) => c.verdict },
        ],
        onPick: (c) => openMatrix(context, c.after.contest),
      }, context.width),
    ];
  },
};
