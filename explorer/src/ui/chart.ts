// A chart in its frame: caption, legend, exports, and the same data as a table for those who cannot
// see the picture or want the numbers.
import { download, h } from "./dom";
import { currentTheme, inkOf } from "./theme";
import type { Column } from "./table";
import { csvOf, dataTable } from "./table";

export interface LegendItem {
  name: string;
  colour: string;
  dashed?: boolean;
}

export interface ChartSpec<Row> {
  name: string; // of exported files
  title: string;
  description: string; // one sentence that says what is seen, for screen readers too
  draw: (width: number) => SVGSVGElement | HTMLElement;
  legend?: LegendItem[];
  rows: Row[];
  columns: Column<Row>[];
  onPick?: (row: Row) => void;
}

const SVG = "http://www.w3.org/2000/svg";
const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

function svgOf(drawn: Element): SVGSVGElement {
  return (drawn instanceof SVGSVGElement ? drawn : drawn.querySelector("svg:last-of-type")) as SVGSVGElement;
}

function text(x: number, y: number, content: string, colour: string, size: number, weight = "400"): SVGElement {
  const element = document.createElementNS(SVG, "text");
  for (const [name, value] of Object.entries({ x, y, fill: colour, "font-size": size, "font-weight": weight, "text-anchor": "start" }))
    element.setAttribute(name, String(value));
  element.textContent = content;
  return element;
}

/** The chart with title and legend as one SVG that looks the same outside of the page. */
export function standaloneSvg(drawn: Element, spec: { title: string; legend?: LegendItem[] }): string {
  const ink = inkOf(currentTheme());
  const source = svgOf(drawn);
  const chart = source.cloneNode(true) as SVGSVGElement;
  const width = Number(source.getAttribute("width"));
  const height = Number(source.getAttribute("height"));
  const perRow = Math.max(1, Math.floor((width - 32) / 250));
  const legend = spec.legend ?? [];
  const foot = Math.ceil(legend.length / perRow) * 20 + (legend.length ? 12 : 0);
  const whole = document.createElementNS(SVG, "svg");
  whole.setAttribute("xmlns", SVG);
  whole.setAttribute("width", String(width));
  whole.setAttribute("height", String(height + 40 + foot));
  whole.setAttribute("viewBox", `0 0 ${width} ${height + 40 + foot}`);
  whole.setAttribute("style", `background:${ink.paper};color:${ink.text};font-family:${font};--plot-background:${ink.paper}`);
  const paper = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: ink.paper })) paper.setAttribute(name, value);
  whole.append(paper, text(16, 25, spec.title, ink.text, 15, "600"));
  chart.setAttribute("y", "36");
  whole.append(chart);
  legend.forEach((item, k) => {
    const x = 16 + (k % perRow) * 250;
    const y = height + 52 + Math.floor(k / perRow) * 20;
    const swatch = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({ x, y: y - 9, width: 12, height: item.dashed ? 3 : 10, rx: 2, fill: item.colour }))
      swatch.setAttribute(name, String(value));
    whole.append(swatch, text(x + 18, y, item.name, ink.text, 12));
  });
  return new XMLSerializer().serializeToString(whole);
}

async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  const ready = new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = () => reject(new Error("the picture cannot be drawn"));
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await ready;
  const canvas = h("canvas", { width: image.width * 2, height: image.height * 2 });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error("no picture"))), "image/png"));
}

function exportButtons<Row>(spec: ChartSpec<Row>, drawn: () => Element): HTMLElement {
  const button = (what: string, act: () => void | Promise<void>) =>
    h("button", { type: "button", class: "quiet", "data-export": what.toLowerCase(), onclick: act, "aria-label": `Save ${spec.title} as ${what}` }, what);
  return h(
    "div", { class: "exports", role: "group", "aria-label": "Save" },
    h("span", { class: "faint", "aria-hidden": "true" }, "Save"),
    button("SVG", () => download(`${spec.name}.svg`, new Blob([standaloneSvg(drawn(), spec)], { type: "image/svg+xml" }))),
    button("PNG", async () => download(`${spec.name}.png`, await pngOf(standaloneSvg(drawn(), spec)))),
    button("CSV", () => download(`${spec.name}.csv`, new Blob([csvOf(spec.rows, spec.columns)], { type: "text/csv" }))),
  );
}

/** The frame; `width` is that of the column it will stand in. */
export function chart<Row>(spec: ChartSpec<Row>, width: number): HTMLElement {
  const place = h("div", { class: "drawing" });
  let drawn: Element = place;
  if (spec.rows.length === 0) {
    place.append(h("p", { class: "nothing" }, "No record fits. Loosen a filter above, or choose other contestants."));
  } else {
    drawn = spec.draw(Math.max(300, width));
    const svg = svgOf(drawn);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${spec.title}. ${spec.description}`);
    if (spec.onPick) {
      drawn.addEventListener("click", () => {
        const picked = (drawn as unknown as { value: Row | null }).value;
        if (picked) spec.onPick!(picked);
      });
    }
    place.append(drawn);
  }
  return h(
    "figure", { class: "card chart" },
    h("figcaption", {}, h("div", {}, h("h3", {}, spec.title), h("p", { class: "faint" }, spec.description)),
      spec.rows.length > 0 && exportButtons(spec, () => drawn)),
    place,
    spec.legend && spec.rows.length > 0 &&
      h("ul", { class: "legend" }, spec.legend.map((item) =>
        h("li", {}, h("span", { class: item.dashed ? "swatch line" : "swatch", style: `background:${item.colour}` }), item.name))),
    spec.rows.length > 0 &&
      h("details", {}, h("summary", {}, `The ${spec.rows.length.toLocaleString("en-US")} values as a table`),
        dataTable(spec.rows, spec.columns, { caption: spec.title, lazily: true })),
  );
}
