// Tables that sort by their columns, and the same rows as CSV.
import { h } from "./dom";

export interface Column<Row> {
  title: string;
  value: (row: Row) => string | number | null;
  shown?: (row: Row) => string | Node;
  numeric?: boolean;
}

function quoted(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf<Row>(rows: Row[], columns: Column<Row>[]): string {
  const lines = [columns.map((c) => quoted(c.title)), ...rows.map((row) => columns.map((c) => quoted(c.value(row))))];
  return lines.map((cells) => cells.join(",")).join("\r\n") + "\r\n";
}

function sorted<Row>(rows: Row[], column: Column<Row>, descending: boolean): Row[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const x = column.value(a);
    const y = column.value(b);
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return x < y ? -sign : x > y ? sign : 0;
  });
}

const most = 400;

/** `lazily`: the rows are made when the surrounding <details> opens. */
export function dataTable<Row>(rows: Row[], columns: Column<Row>[], how: { caption: string; lazily?: boolean; sortBy?: number; descending?: boolean }): HTMLElement {
  let by = how.sortBy ?? -1;
  let descending = how.descending ?? false;
  const body = h("tbody");
  const note = h("p", { class: "faint" });
  const heads = columns.map((column, k) => {
    const button = h("button", { type: "button", onclick: () => order(k) }, column.title);
    return h("th", { scope: "col", class: column.numeric ? "number" : "" }, button);
  });

  function fill(): void {
    const ordered = by < 0 ? rows : sorted(rows, columns[by]!, descending);
    body.replaceChildren(...ordered.slice(0, most).map((row) =>
      h("tr", {}, columns.map((c) => h("td", { class: c.numeric ? "number" : "" }, c.shown ? c.shown(row) : String(c.value(row) ?? "–"))))));
    note.textContent = rows.length > most ? `The first ${most} of ${rows.length.toLocaleString("en-US")}; CSV has all.` : "";
    heads.forEach((head, k) => {
      if (k === by) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }
  function order(k: number): void {
    descending = by === k ? !descending : Boolean(columns[k]!.numeric);
    by = k;
    fill();
  }

  const table = h("table", {}, h("caption", { class: "hidden" }, how.caption), h("thead", {}, h("tr", {}, heads)), body);
  const scroller = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": how.caption }, table, note);
  if (how.lazily) {
    queueMicrotask(() => {
      const details = scroller.closest("details");
      if (details) details.addEventListener("toggle", () => body.childElementCount === 0 && fill());
      else fill();
    });
  } else {
    fill();
  }
  return scroller;
}
