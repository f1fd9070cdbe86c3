// What every view gets and gives.
import type { Loaded } from "../data/embedded";
import type { Contest, Entry } from "../data/model";
import { productName } from "../data/model";
import type { Duel } from "../data/select";
import { contestants, labelOf } from "../data/select";
import type { State } from "../state";
import { toHash } from "../state";
import { chips } from "../ui/controls";
import { h } from "../ui/dom";
import { currentTheme, inkOf, paletteOf } from "../ui/theme";

export interface Context {
  loaded: Loaded;
  state: State;
  duels: Duel[]; // what the filters leave
  width: number; // of a chart
  set: (change: Partial<State>) => void;
}

export interface View {
  id: string;
  title: string;
  about: string;
  filters: boolean;
  render: (context: Context) => (Node | string)[];
}

/** The link to the page of a matrix, at one case. */
export function matrixHash(state: State, contest: Contest): string {
  return toHash({ ...state, view: "matrix", matrix: contest.matrix, contest: caseId(contest) });
}

export const caseId = (contest: Contest): string => `${contest.run.file}:${contest.index}`;

export function matrixLink(context: Context, contest: Contest): HTMLElement {
  return h("a", { href: matrixHash(context.state, contest) }, productName(contest));
}

export function openMatrix(context: Context, contest: Contest): void {
  location.hash = matrixHash(context.state, contest);
}

/** The case in a line: what distinguishes it from others of its matrix. */
export function caseTitle(contest: Contest, place?: string): string {
  return [
    contest.operation,
    contest.right && contest.right !== "A" ? `× ${contest.right.split(":")[0]}` : "",
    contest.type,
    contest.operation === "spmm" ? `${contest.columns} columns` : "",
    place === "cuda" ? (contest.run.devices[0]?.name ?? "GPU") : `${contest.threads} ${contest.threads === 1 ? "thread" : "threads"}`,
  ].filter(Boolean).join(", ");
}

// ---- Contestants of a chart and their colours

export interface Cast {
  names: string[];
  colours: Map<string, string>;
  picker: HTMLElement;
  isKept: (entry: Entry) => boolean;
}

/** The contestants that are shown: those of the link, or the choice and the peers most seen. */
export function castOf(context: Context, duels: Duel[], most = 6): Cast {
  const all = contestants(duels);
  const wanted = new Set(context.state.show.split("|"));
  let names = all.map((c) => c.name).filter((n) => wanted.has(n));
  if (names.length === 0) {
    const choices = all.filter((c) => c.kind === "choice");
    const others = all.filter((c) => c.kind === "peer").sort((a, b) => b.count - a.count);
    const rest = others.length > 0 ? others : all.filter((c) => c.kind !== "choice").sort((a, b) => b.count - a.count);
    const kept = new Set([...choices, ...rest].slice(0, most).map((c) => c.name));
    names = all.map((c) => c.name).filter((n) => kept.has(n));
  }
  const palette = paletteOf(currentTheme());
  const colours = new Map(names.map((n, k) => [n, palette[k % palette.length]!]));
  const shown = new Set(names);
  const picker = chips("Contestants", all.map((c) => ({ name: c.name, label: labelOf(c.name), colour: colours.get(c.name) })), shown,
    (kept) => context.set({ show: kept.join("|") }));
  return { names, colours, picker, isKept: (e) => shown.has(e.name) };
}

export const ink = () => inkOf(currentTheme());

/** Options that all charts share. Fonts are named so that exported files have them. */
export function frame(width: number): Record<string, unknown> {
  const narrow = width < 560;
  return {
    width,
    height: narrow ? 340 : 460,
    marginLeft: narrow ? 52 : 64,
    marginBottom: 46,
    marginTop: 26,
    marginRight: 22,
    style: { fontSize: narrow ? "11px" : "12.5px", background: "transparent", color: ink().text, overflow: "visible" },
  };
}

/** Facts in large print above a chart. */
export function facts(...items: [value: string, label: string][]): HTMLElement {
  return h("dl", { class: "facts" }, items.map(([value, label]) => h("div", {}, h("dt", {}, label), h("dd", {}, value))));
}
