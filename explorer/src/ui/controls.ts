// Selects, switches between a few values, sets of contestants.
import { h } from "./dom";

export type Option = [value: string, label: string];

let serial = 0;

export function choice(label: string, value: string, options: Option[], change: (value: string) => void): HTMLElement {
  const id = `control-${++serial}`;
  const known = options.some(([v]) => v === value) ? options : [[value, value] as Option, ...options];
  const select = h("select", { id, onchange: () => change(select.value), "data-control": label },
    known.map(([v, text]) => h("option", { value: v, selected: v === value }, text)));
  return h("div", { class: "control" }, h("label", { for: id }, label), select);
}

/** A few values side by side; arrow keys move as in every group of radio buttons. */
export function segments(label: string, value: string, options: Option[], change: (value: string) => void): HTMLElement {
  const name = `segments-${++serial}`;
  return h("fieldset", { class: "segments" }, h("legend", {}, label),
    h("div", {}, options.map(([v, text]) => {
      const id = `${name}-${v}`;
      return [
        h("input", { type: "radio", name, id, value: v, checked: v === value, onchange: () => change(v), "data-control": `${label}: ${text}` }),
        h("label", { for: id }, text),
      ];
    })));
}

/** Which contestants a chart shows: check boxes that look like labels. */
export function chips(label: string, all: { name: string; label: string; colour?: string | undefined }[], shown: Set<string>, change: (shown: string[]) => void): HTMLElement {
  return h("fieldset", { class: "chips" }, h("legend", {}, label),
    h("div", {}, [...all].sort((a, b) => Number(shown.has(b.name)) - Number(shown.has(a.name))).map(({ name, label: text, colour }) =>
      h("label", { class: shown.has(name) ? "chip on" : "chip" },
        h("input", {
          type: "checkbox", checked: shown.has(name), value: name,
          onchange: () => change(all.map((one) => one.name).filter((one) => (one === name) !== shown.has(one))),
        }),
        h("span", { class: "swatch", style: shown.has(name) && colour ? `background:${colour}` : "" }), text))));
}
