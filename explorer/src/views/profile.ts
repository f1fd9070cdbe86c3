// Performance profiles: the share of problems that a contestant solves within a factor of the fastest.
import * as Plot from "@observablehq/plot";
import { labelOf } from "../data/select";
import type { ProfilePoint } from "../data/statistics";
import { profile as profileOf } from "../data/statistics";
import { chart } from "../ui/chart";
import { segments } from "../ui/controls";
import { h } from "../ui/dom";
import { percent, significant, tick } from "../ui/format";
import type { View } from "./view";
import { castOf, frame, ink } from "./view";

/** The share at a factor: steps hold until the next. */
export function shareAt(points: ProfilePoint[], contestant: string, at: number): number {
  let share = 0;
  for (const p of points) if (p.contestant === contestant && p.factor <= at) share = Math.max(share, p.share);
  return share;
}

export const profile: View = {
  id: "profile",
  title: "Profile",
  about: "How often is a contestant the fastest (at 1), and how far behind can it fall? Refused problems count as never.",
  filters: true,
  render: (context) => {
    const { state } = context;
    const cast = castOf(context, context.duels, 8);
    const most = Number(state.x) > 1 ? Number(state.x) : 5;
    const data = profileOf(context.duels, cast.names, state.temperature, most);
    const table = cast.names.map((name) => ({ name, at: [1, 1.1, 1.5, 2, most].map((t) => shareAt(data, name, t)) }));
    return [
      h("div", { class: "controls" },
        segments("Up to a factor of", String(most), [["2", "2"], ["5", "5"], ["10", "10"], ["50", "50"]], (v) => context.set({ x: v })),
        segments("Caches", state.temperature, [["warm", "warm"], ["cold", "cold"]], (v) => context.set({ temperature: v as "warm" | "cold" }))),
      cast.picker,
      chart({
        name: "gossamer-performance-profile",
        title: "Performance profile",
        description: `${context.duels.length.toLocaleString("en-US")} problems, ${cast.names.length} contestants: the higher and the further left, the better.`,
        draw: (width) => Plot.plot({
          ...frame(width),
          grid: true,
          x: { type: "log", domain: [1, most], label: "time / time of the fastest →", tickFormat: tick },
          y: { domain: [0, 1], label: "↑ share of the problems", tickFormat: "%" },
          color: { domain: cast.names, range: cast.names.map((n) => cast.colours.get(n)!) },
          marks: [
            Plot.ruleY([0]),
            Plot.line(data, { x: "factor", y: "share", z: "contestant", stroke: "contestant", strokeWidth: 2.2, curve: "step-after" }),
            Plot.tip(data, Plot.pointer({
              x: "factor", y: "share", stroke: "contestant", fill: ink().paper, textPadding: 10,
              title: (p: ProfilePoint) => `${labelOf(p.contestant)}\nwithin ${significant(p.factor)} of the fastest\non ${percent(p.share)} of the problems`,
            })),
          ],
        }),
        legend: cast.names.map((n) => ({ name: labelOf(n), colour: cast.colours.get(n)! })),
        rows: context.duels.length === 0 ? [] : table,
        columns: [
          { title: "contestant", value: (r) => r.name, shown: (r) => labelOf(r.name) },
          ...[1, 1.1, 1.5, 2, most].map((t, k) => ({
            title: t === 1 ? "fastest" : `within ${t}`, numeric: true,
            value: (r: (typeof table)[number]) => r.at[k]!, shown: (r: (typeof table)[number]) => percent(r.at[k]!),
          })),
        ],
      }, context.width),
    ];
  },
};
