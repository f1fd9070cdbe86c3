// The figures and tables of the four papers that records can reproduce: what the paper reports, in our
// words, and the contestants that stand for it here. docs/guide/suites.md names the matrices.
import type { Run } from "./model";
import type { Duel } from "./select";
import { noFilters, select } from "./select";

/** A curve or a set of dots: the fastest contestant whose name begins with one of `names`. */
export interface Series {
  label: string;
  names: string[];
}

export interface Figure {
  paper: string;
  label: string; // of the suite `papers`
  title: string;
  says: string;
  operation: string;
  kind: "rates" | "speedup" | "profile" | "scaling" | "conversion" | "phases" | "factors";
  x: string; // of xAxes, for rates and speedup
  series: Series[]; // speedup: of the first over each of the others
  leastNonzeros?: number;
  measuredOn: string; // by the paper
}

const anzt = "Anzt et al., TOPC 2020";
const yang = "Yang, Buluç, Owens, Euro-Par 2018";
const dalton = "Dalton, Bell, Olson, TOMS 2015";
const gu = "Gu et al., SPAA 2020";
const v100 = "NVIDIA V100, 2,743 matrices";
const k40 = "NVIDIA K40c";
const daltonGpu = "NVIDIA Tesla C2075";
const skylake = "24 Skylake cores, STREAM 47 to 57 GB/s";

const coo = { label: "COO", names: ["spmv/coo/"] };
const paperCsr = { label: "CSR of the paper (classical, load_balance)", names: ["spmv/csr/classical/", "spmv/csr/load_balance/"] };
const chosen = { label: "Gossamer's choice", names: ["best"] };
const ell = { label: "ELL", names: ["spmv/ell/"] };
const hyb = { label: "HYB", names: ["spmv/hyb/"] };
const sellp = { label: "SELL-P", names: ["spmv/sellp/"] };
const vendorCsr = { label: "cuSPARSE CSR", names: ["cusparse/csr-alg1"] };
const vendorMerge = { label: "cuSPARSE CSR, merge path", names: ["cusparse/csr-alg2"] };
const vendorCoo = { label: "cuSPARSE COO", names: ["cusparse/coo"] };
const pb = { label: "PB", names: ["spgemm/csr/pb/"] };
const hash = { label: "hash", names: ["spgemm/csr/hash/"] };
const hashvec = { label: "hash, vectors", names: ["spgemm/csr/hashvec/"] };
const heap = { label: "heap", names: ["spgemm/csr/heap/"] };
const adaptive = { label: "adaptive (ours)", names: ["spgemm/csr/adaptive/"] };
const esc = { label: "ESC", names: ["spgemm/csr/esc/"] };
const rowEsc = { label: "row-wise ESC", names: ["spgemm/csr/row_esc/"] };
const rowSplit = { label: "row split", names: ["spmm/csr/row_split/"] };
const merge = { label: "merge based", names: ["spmm/csr/merge/"] };
const vendorSpmm = { label: "cuSPARSE", names: ["cusparse/csr"] };

export const figures: Figure[] = [
  { paper: anzt, label: "Anzt Fig. 5", title: "COO against the vendor's COO", operation: "spmv", kind: "rates", x: "nnz", series: [coo, vendorCoo], measuredOn: v100,
    says: "The load-balanced COO kernel is much faster than cuSPARSE's COO and reaches about 100 GFLOP/s." },
  { paper: anzt, label: "Anzt Fig. 7", title: "CSR against the vendor's CSR, over nonzeros", operation: "spmv", kind: "rates", x: "nnz", series: [paperCsr, chosen, vendorCsr], measuredOn: v100,
    says: "Both reach 120 GFLOP/s; they differ most between 10⁵ and 10⁶ nonzeros." },
  { paper: anzt, label: "Anzt Fig. 8", title: "CSR over the vendor's CSR, against imbalance", operation: "spmv", kind: "speedup", x: "imbalance", series: [paperCsr, vendorCsr], measuredOn: v100,
    says: "Faster on 68 % of the matrices; up to three orders of magnitude where rows are very uneven." },
  { paper: anzt, label: "Anzt Fig. 9", title: "CSR over the vendor's merge path, against imbalance", operation: "spmv", kind: "speedup", x: "imbalance", series: [paperCsr, vendorMerge], measuredOn: v100,
    says: "Faster on 96 % of the matrices, by 40 at most." },
  { paper: anzt, label: "Anzt Fig. 12", title: "Where HYB splits", operation: "spmv", kind: "profile", x: "", measuredOn: v100, leastNonzeros: 100_000,
    series: ["column limit", "imbalance limit", "imbalance bounded", "minimal storage", "automatic"].map((s) => ({ label: s, names: [`spmv/hyb/split/cuda (${s})`, `spmv/hyb/split/openmp (${s})`] })),
    says: "No split is best everywhere: a third of the rows wins 45 % of the problems, a quarter 37 %, none 18 %; fewer than 12 % of the problems lose more than a quarter." },
  { paper: anzt, label: "Anzt Fig. 14", title: "HYB against COO", operation: "spmv", kind: "profile", x: "", series: [hyb, coo], measuredOn: v100, leastNonzeros: 100_000,
    says: "HYB is the faster one on 38 %, COO on 62 %; HYB is never more than 50 % behind, COO at most a factor of two." },
  { paper: anzt, label: "Anzt Fig. 15", title: "All formats", operation: "spmv", kind: "profile", x: "", series: [paperCsr, coo, ell, sellp, hyb, vendorCsr, vendorMerge, chosen], measuredOn: v100, leastNonzeros: 100_000,
    says: "HYB, COO and CSR generalise best. The vendor's CSR wins 26 % of the problems and is within the plotted factor on 80 %." },
  { paper: anzt, label: "Anzt Fig. 16", title: "Conversions, in products", operation: "convert", kind: "conversion", x: "", series: [], measuredOn: "NVIDIA V100, five graphs",
    says: "No conversion from or to CSR costs more than 280 products; most cost less than 50, the cheapest 2." },
  { paper: yang, label: "Yang Fig. 1", title: "The aspect ratio, SpMM of the vendor", operation: "spmm", kind: "rates", x: "row_mean", series: [rowSplit, merge, vendorSpmm], measuredOn: k40,
    says: "The vendor's rate falls where rows are few and long, and where they are many and short." },
  { paper: yang, label: "Yang Fig. 4", title: "Row split over the vendor, by row length", operation: "spmm", kind: "speedup", x: "row_mean", series: [rowSplit, vendorSpmm], measuredOn: k40,
    says: "Row split is much faster on long rows and loses on rows far shorter than 32." },
  { paper: yang, label: "Yang Fig. 5a", title: "Row split on long rows", operation: "spmm", kind: "speedup", x: "row_mean", series: [rowSplit, vendorSpmm], measuredOn: k40,
    says: "1.31 times as fast as the next best (geometric mean), 1.39 at most." },
  { paper: yang, label: "Yang Fig. 5b", title: "Merge based on short rows", operation: "spmm", kind: "speedup", x: "row_mean", series: [merge, vendorSpmm], measuredOn: k40,
    says: "1.53 times as fast as the vendor's csrmm2 (geometric mean), 3.37 at most." },
  { paper: yang, label: "Yang Fig. 6", title: "Both kernels over the vendor, by row length", operation: "spmm", kind: "speedup", x: "row_mean", series: [{ label: "the better of both", names: [...rowSplit.names, ...merge.names] }, vendorSpmm], measuredOn: `${k40}, 195 matrices`,
    says: "With the rule at 9.35 nonzeros per row 1.235 times as fast (geometric mean), 3.6 at most; the rule is right on 95.9 %." },
  { paper: dalton, label: "Dalton Table 10", title: "Phases of row-wise ESC", operation: "spgemm", kind: "phases", x: "", series: [rowEsc], measuredOn: daltonGpu,
    says: "Analysis 7 to 18 % of the time, expanding, sorting and contracting 82 to 92 %, reordering 3 % at most." },
  { paper: dalton, label: "Dalton Table 11", title: "Row-wise ESC over ESC, A·P of meshes", operation: "spgemm", kind: "speedup", x: "nnz", series: [rowEsc, esc], measuredOn: daltonGpu,
    says: "3.1 times as fast on average, 1.4 to 4.9." },
  { paper: dalton, label: "Dalton Table 13", title: "Row-wise ESC over ESC, A·P of irregular matrices", operation: "spgemm", kind: "speedup", x: "nnz", series: [rowEsc, esc], measuredOn: daltonGpu,
    says: "1.0 (webbase) to 4.1 times as fast." },
  { paper: dalton, label: "Dalton Table 14", title: "Row-wise ESC over ESC, A²", operation: "spgemm", kind: "speedup", x: "nnz", series: [rowEsc, esc], measuredOn: daltonGpu,
    says: "1.2 (protein) to 7.4 times as fast." },
  { paper: dalton, label: "Dalton Fig. 12", title: "Expansion and contraction", operation: "spgemm", kind: "factors", x: "", series: [], measuredOn: "any machine",
    says: "The mean expansion of A·P is below 5 for all of the meshes." },
  { paper: dalton, label: "Dalton Table 9", title: "Expansion and contraction of AᵀA and AAᵀ", operation: "spgemm", kind: "factors", x: "", series: [], measuredOn: "any machine",
    says: "Expansion 1.05 for AᵀA and 106 for AAᵀ (the text says density 10⁻³; these are the factors of about 10⁻⁴)." },
  { paper: gu, label: "Gu Fig. 7", title: "Erdős–Rényi, scales 12 to 20", operation: "spgemm", kind: "rates", x: "flop", series: [pb, hash, hashvec, heap, adaptive], measuredOn: skylake,
    says: "PB is the fastest at every scale and edge factor: 0.7 to 0.8 GFLOP/s counting multiplications (1.4 to 1.6 counted as here), stable over sizes." },
  { paper: gu, label: "Gu Fig. 9", title: "R-MAT, scales 10 to 16", operation: "spgemm", kind: "rates", x: "flop", series: [pb, hash, hashvec, heap, adaptive], measuredOn: skylake,
    says: "PB attains 0.7 to 0.9 GFLOP/s (1.4 to 1.8 counted as here) and is generally the fastest; uneven bins cost bandwidth." },
  { paper: gu, label: "Gu Fig. 11", title: "Twelve squares, by compression", operation: "spgemm", kind: "rates", x: "compression", series: [pb, hash, hashvec, heap, adaptive], measuredOn: skylake,
    says: "PB is generally the fastest below a compression factor of four, hash beyond." },
  { paper: gu, label: "Gu Fig. 12", title: "Strong scaling, scale 16, edge factor 16", operation: "spgemm", kind: "scaling", x: "", series: [pb, hash, heap, adaptive], measuredOn: skylake,
    says: "PB gains 16 from 24 threads on Erdős–Rényi and 10 on R-MAT." },
];

/** The duels of a figure: contests with its label, with all threads unless it is about scaling. */
export function duelsOf(figure: Figure, runs: Run[]): Duel[] {
  const named = select(runs, { ...noFilters, operation: figure.operation, label: figure.operation === "convert" ? "" : figure.label });
  const threads = Math.max(...named.map((d) => d.contest.threads));
  return named.filter((d) =>
    d.contest.features.nnz >= (figure.leastNonzeros ?? 0) && (figure.kind === "scaling" || d.place === "cuda" || d.contest.threads === threads));
}

/** The fastest entry that stands for a series in a duel. */
export function entryOf(series: Series, duel: Duel) {
  let best = null;
  for (const e of duel.entries)
    if (series.names.some((n) => e.name === n || e.contestant.startsWith(n)) && (!best || e.warm.median < best.warm.median)) best = e;
  return best;
}
