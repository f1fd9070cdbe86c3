// The page: navigation, filters, the view that the link names.
import "./style.css";
import type { Loaded } from "./data/embedded";
import { load, loadFiles } from "./data/embedded";
import type { Filters } from "./data/select";
import { optionsOf, select } from "./data/select";
import type { State } from "./state";
import { fromHash, toHash } from "./state";
import { choice } from "./ui/controls";
import type { Option } from "./ui/controls";
import { append, h } from "./ui/dom";
import { operationNames, placeNames } from "./ui/format";
import { currentTheme, setTheme } from "./ui/theme";
import { breakeven } from "./views/breakeven";
import { compare } from "./views/compare";
import { heuristics } from "./views/heuristics";
import { matrix } from "./views/matrix";
import { overview } from "./views/overview";
import { papers } from "./views/papers";
import { profile } from "./views/profile";
import { roofline } from "./views/roofline";
import { scatter } from "./views/scatter";
import { speedup } from "./views/speedup";
import type { View } from "./views/view";

const views: View[] = [overview, scatter, speedup, profile, roofline, matrix, heuristics, breakeven, compare, papers];
/** Rates and times of different products are not comparable: these views show one operation. */
/** A profile ranks contestants that can meet: those of one kind of processor. */
const oneProcessor = new Set(["profile"]);
const oneOperation = new Set(["scatter", "speedup", "profile", "roofline", "heuristics", "breakeven"]);

const app = document.getElementById("app")!;
let loaded: Loaded = { runs: [], details: [], problems: [] };
let focusOn: string | null = null;

function effective(state: State, view: View): State {
  const result = { ...state };
  const first = (key: "operation" | "place", order: string[]) => {
    const there = new Set(optionsOf(loaded.runs, result, key).map(([value]) => value));
    return order.find((o) => there.has(o)) ?? "";
  };
  if (result.operation === "" && oneOperation.has(view.id)) result.operation = first("operation", ["spmv", "spmm", "spgemm", "convert"]);
  if (result.place === "" && oneProcessor.has(view.id)) result.place = first("place", ["cpu", "cuda", "reference"]);
  return result;
}

function navigate(change: Partial<State>, state: State): void {
  const hash = toHash({ ...state, ...change });
  if (hash === location.hash) render();
  else location.hash = hash;
}

function filterBar(state: State, view: View): HTMLElement {
  const pick = (label: string, key: keyof Filters, names: Record<string, string> = {}, all = "all") => {
    const found = optionsOf(loaded.runs, state, key);
    if (found.length < 2 && state[key] === "") return null;
    const options: Option[] = found.map(([value, n]) => [value, `${names[value] ?? (value || "(none)")} · ${n}`]);
    const free = !(key === "operation" && oneOperation.has(view.id)) && !(key === "place" && oneProcessor.has(view.id));
    return choice(label, state[key], free ? [["", all], ...options] : options, (v) => navigate({ [key]: v }, state));
  };
  const numeric = loaded.runs.some((r) => r.contests.some((c) => c.entries.some((e) => e.mode === "numeric")));
  const search = h("input", { id: "search", type: "search", value: state.search, placeholder: "name, class or recipe", "data-control": "Search",
    onchange: () => navigate({ search: search.value }, state) });
  return h("form", { class: "filters", role: "search", "aria-label": "Filters", onsubmit: (e: Event) => e.preventDefault() },
    pick("Operation", "operation", operationNames), pick("Processor", "place", placeNames), pick("Values", "type"),
    pick("Threads", "threads"), state.operation === "spmm" ? pick("Columns", "columns") : null, pick("Class", "matrixClass"), pick("Results", "file"),
    numeric && (state.operation === "spgemm" || state.mode === "numeric")
      ? choice("Product", state.mode, [["whole", "from the operands"], ["numeric", "known structure"]], (v) => navigate({ mode: v }, state)) : null,
    h("div", { class: "control grow" }, h("label", { for: "search" }, "Search matrices"), search),
    h("button", { type: "button", class: "quiet", onclick: () => navigate({ ...fromHash(`#${state.view}`) }, state) }, "Reset"));
}

function header(state: State): HTMLElement {
  const dark = currentTheme() === "dark";
  return h("header", {},
    h("a", { class: "skip", href: "#main", onclick: (e: Event) => { e.preventDefault(); document.getElementById("main")?.focus(); } }, "Skip to the view"),
    h("div", { class: "bar" },
      h("a", { class: "brand", href: "#overview" }, h("strong", {}, "Gossamer"), " performance explorer"),
      h("button", { type: "button", class: "quiet", "data-control": "theme", onclick: () => { setTheme(dark ? "light" : "dark"); focusOn = '[data-control="theme"]'; render(); } }, dark ? "☀ Light" : "☾ Dark")),
    h("nav", { "aria-label": "Views" }, views.map((v) =>
      h("a", { href: toHash({ ...state, view: v.id, x: "", y: "", ...(v.id === "matrix" ? {} : { matrix: "", contest: "" }) }), "aria-current": v.id === state.view && "page" }, v.title))));
}

function problemCards(): HTMLElement[] {
  return loaded.problems.map((text) => h("p", { class: "card warning", role: "alert" }, h("strong", {}, "A file could not be read. "), text));
}

/** What a page without results says, and where files can be dropped. */
function welcome(): HTMLElement {
  const input = h("input", { type: "file", multiple: true, accept: ".jsonl,.json,.gz", id: "files", onchange: () => open(input.files ?? []) });
  return h("section", { class: "card welcome" },
    h("h2", {}, loaded.problems.length > 0 ? "No results to show" : "No results yet"),
    h("p", {}, "This page shows results of ", h("code", {}, "gossamer bench"), ". Measure some, and put them into the page:"),
    h("pre", {}, "gossamer bench spmv A.mtx --all-kernels --compare all --out results.jsonl\ngossamer explore results.jsonl -o report.html"),
    h("p", {}, h("label", { for: "files" }, "Or open results files here; they stay on this computer: "), input));
}

async function open(files: Iterable<File>): Promise<void> {
  await loadFiles(loaded, files);
  render();
}

function render(): void {
  let state = fromHash(location.hash);
  const view = views.find((v) => v.id === state.view) ?? overview;
  state = effective({ ...state, view: view.id }, view);
  document.documentElement.dataset.theme = currentTheme();
  document.title = `${view.title} · Gossamer performance explorer`;
  const nothing = loaded.runs.every((r) => r.contests.length === 0) && loaded.details.length === 0;
  const focused = focusOn ?? focusKey();
  const main = h("main", { id: "main", tabindex: -1 }, problemCards());
  app.replaceChildren(header(state), main);
  if (nothing) {
    main.append(welcome());
    return;
  }
  const duels = select(loaded.runs, state);
  main.append(h("h2", {}, view.title), h("p", { class: "about" }, view.about));
  if (view.filters) main.append(filterBar(state, view), h("p", { class: "hidden", role: "status" }, `${duels.length} cases`));
  const width = Math.min(1240, main.clientWidth) - (innerWidth < 600 ? 24 : 56);
  append(main, view.render({ loaded, state, duels, width, set: (change) => navigate(change, state) }));
  main.append(h("footer", { class: "faint" }, "Warm medians, contestants interleaved, every result checked before it was timed. Only contestants of one case are compared."));
  if (focused) app.querySelector<HTMLElement>(focused)?.focus({ preventScroll: true });
  focusOn = null;
}

/** After a change the page is drawn anew: the control that had the focus keeps it. */
function focusKey(): string | null {
  const control = document.activeElement?.closest<HTMLElement>("[data-control]");
  return control ? `[data-control="${CSS.escape(control.dataset.control!)}"]` : null;
}

async function start(): Promise<void> {
  document.documentElement.dataset.theme = currentTheme();
  loaded = await load(document);
  let width = innerWidth;
  let timer = 0;
  addEventListener("hashchange", render);
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(timer);
    timer = setTimeout(render, 150) as unknown as number;
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", render);
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", (e) => {
    e.preventDefault();
    void open(e.dataTransfer?.files ?? []);
  });
  render();
}

void start();
