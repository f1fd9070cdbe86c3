// What the page shows, kept in the URL after "#": a link to a view is a link to exactly this view.
import type { Filters, Temperature } from "./data/select";
import { noFilters } from "./data/select";

export interface State extends Filters {
  view: string;
  matrix: string; // of the page of a matrix
  contest: string; // "file:index" of the case shown there
  x: string;
  y: string;
  of: string;
  over: string;
  show: string; // contestants, separated by "|"; "" is the view's default
  temperature: Temperature;
  before: string;
  after: string;
}

export const defaults: State = {
  ...noFilters,
  view: "overview", matrix: "", contest: "", x: "", y: "", of: "@choice", over: "@peers", show: "",
  temperature: "warm", before: "", after: "",
};

/** Names in links, where they differ from those in the program. */
const shortNames: Partial<Record<keyof State, string>> = {
  operation: "op", place: "on", matrixClass: "class", search: "q", temperature: "caches", contest: "case",
};

export function toHash(state: State): string {
  const parameters = new URLSearchParams();
  for (const key of Object.keys(defaults) as (keyof State)[])
    if (state[key] !== defaults[key] && key !== "view") parameters.set(shortNames[key] ?? key, state[key]);
  const rest = parameters.toString();
  return `#${state.view}${rest ? `?${rest}` : ""}`;
}

export function fromHash(hash: string): State {
  const state: State = { ...defaults };
  const [view, query] = hash.replace(/^#/, "").split("?", 2);
  if (view) state.view = view;
  const parameters = new URLSearchParams(query ?? "");
  for (const key of Object.keys(defaults) as (keyof State)[]) {
    const value = parameters.get(shortNames[key] ?? key);
    if (value !== null && key !== "view") (state as unknown as Record<string, string>)[key] = value;
  }
  if (state.temperature !== "cold") state.temperature = "warm";
  if (state.mode !== "numeric") state.mode = "whole";
  return state;
}
