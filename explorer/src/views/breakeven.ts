// After how many products a conversion has paid for itself, and what conversions cost.
import * as Plot from "@observablehq/plot";
import type { Contest, Entry } from "../data/model";
import { productName } from "../data/model";
import { select } from "../data/select";
import type { BreakEven } from "../data/statistics";
import { breakEvens } from "../data/statistics";
import { chart } from "../ui/chart";
import { factor, percent, significant, tick, time } from "../ui/format";
import { currentTheme, paletteOf } from "../ui/theme";
import type { Context, View } from "./view";
import { caseTitle, facts, frame, ink, matrixLink, openMatrix } from "./view";

interface Conversion {
  contest: Contest;
  entry: Entry;
  multiples: number;
  from: string;
}

function conversions(context: Context): Conversion[] {
  return select(context.loaded.runs, { ...context.state, operation: "convert" }).flatMap(({ contest, entries }) =>
    entries.flatMap((entry) => {
      const [, from, to] = entry.contestant.split("/");
      return entry.spmvMultiples && from && to ? [{ contest, entry, multiples: entry.spmvMultiples, from: `${from} → ${to}` }] : [];
    }));
}

export const breakeven: View = {
  id: "breakeven",
  title: "Break-even",
  about: "A kernel that converts or prepares first pays off only after some products. The baseline is our fastest kernel for a single call.",
  filters: true,
  render: (context) => {
    const all = breakEvens(context.duels).filter((b) => b.gain > 1);
    const finite = all.filter((b) => Number.isFinite(b.calls)).map((b) => ({ ...b, calls: Math.max(1, b.calls), kernel: b.entry.contestant.replace(/ \(.*/, "") }));
    const kernels = [...new Set(finite.map((b) => b.kernel))].sort();
    const palette = paletteOf(currentTheme());
    const colourOf = (k: string) => palette[kernels.indexOf(k) % palette.length]!;
    const within = (n: number) => percent(finite.filter((b) => b.calls <= n).length / Math.max(1, finite.length));
    const converted = conversions(context);
    const pairs = [...new Set(converted.map((c) => c.from))].sort();
    return [
      finite.length > 0 ? facts([within(10), "pay off within 10 products"], [within(100), "within 100"], [within(1000), "within 1,000"], [String(finite.length), "kernels × cases that gain"]) : "",
      chart<BreakEven & { kernel: string }>({
        name: "gossamer-break-even",
        title: "Products until a preparation has paid for itself",
        description: finite.length > 0 ? `${finite.length} kernels × cases that beat the baseline in the long run.` : "No run that is left raced kernels with preparation against others.",
        draw: (width) => Plot.plot({
          ...frame(width),
          grid: true,
          x: { type: "log", label: "nonzeros of A →", tickFormat: tick },
          y: { type: "log", label: "↑ products until break-even", tickFormat: tick },
          color: { domain: kernels, range: kernels.map(colourOf) },
          marks: [
            Plot.dot(finite, { x: (b) => b.duel.contest.features.nnz, y: "calls", fill: "kernel", r: (b) => 2.5 + 2 * Math.log2(b.gain), fillOpacity: 0.7 }),
            Plot.tip(finite, Plot.pointer({
              x: (b) => b.duel.contest.features.nnz, y: "calls", fill: ink().paper, textPadding: 10,
              title: (b) => `${productName(b.duel.contest)}\n${b.kernel}: ${time(b.onceSeconds)} once,\nthen ${factor(b.gain)} as fast as ${b.baseline.contestant}\npays off after ${significant(b.calls)} products`,
            })),
          ],
          r: { type: "identity" },
        }),
        legend: kernels.map((k) => ({ name: k, colour: colourOf(k) })),
        rows: finite,
        columns: [
          { title: "matrix", value: (b) => productName(b.duel.contest), shown: (b) => matrixLink(context, b.duel.contest) },
          { title: "case", value: (b) => caseTitle(b.duel.contest, b.duel.place) },
          { title: "kernel", value: (b) => b.kernel },
          { title: "once", value: (b) => b.onceSeconds, numeric: true, shown: (b) => time(b.onceSeconds) },
          { title: "baseline", value: (b) => b.baseline.contestant },
          { title: "gain", value: (b) => b.gain, numeric: true, shown: (b) => factor(b.gain) },
          { title: "products", value: (b) => b.calls, numeric: true, shown: (b) => significant(b.calls) },
        ],
        onPick: (b) => openMatrix(context, b.duel.contest),
      }, context.width),
      converted.length === 0 ? "" : chart<Conversion>({
        name: "gossamer-conversions",
        title: "Cost of conversions in products",
        description: "Time of a conversion over that of one SpMV with the matrix. Anzt et al. report less than 280 always and less than 50 for most.",
        draw: (width) => Plot.plot({
          ...frame(width),
          height: 90 + 17 * pairs.length,
          marginLeft: 110,
          x: { type: "log", label: "SpMV per conversion →", tickFormat: tick, grid: true },
          y: { label: null, domain: pairs },
          marks: [
            Plot.ruleX([50, 280], { stroke: ink().accent, strokeDasharray: "4 4" }),
            Plot.text([50, 280], { x: (d: number) => d, text: (d: number) => `paper: ${d}`, frameAnchor: "top", dy: -14, fill: ink().accent }),
            Plot.dot(converted, { x: "multiples", y: "from", fill: palette[1]!, fillOpacity: 0.65, r: 4 }),
            Plot.tip(converted, Plot.pointer({
              x: "multiples", y: "from", fill: ink().paper, textPadding: 10,
              title: (c: Conversion) => `${c.contest.matrix}, ${c.from}\n${time(c.entry.warm.median)} = ${significant(c.multiples)} SpMV`,
            })),
          ],
        }),
        rows: converted,
        columns: [
          { title: "matrix", value: (c) => c.contest.matrix, shown: (c) => matrixLink(context, c.contest) },
          { title: "conversion", value: (c) => c.from },
          { title: "seconds", value: (c) => c.entry.warm.median, numeric: true, shown: (c) => time(c.entry.warm.median) },
          { title: "in SpMV", value: (c) => c.multiples, numeric: true, shown: (c) => significant(c.multiples) },
        ],
        onPick: (c) => openMatrix(context, c.contest),
      }, context.width),
    ];
  },
};
