// Elements without a framework.

type Child = Node | string | null | undefined | false | Child[];
type Attributes = Record<string, unknown>;

/** h("a", {href: "#x", onclick: f}, "text"): functions become listeners, true an empty attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value as EventListener);
    else if (name === "value") (element as unknown as { value: unknown }).value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(to: Element, children: Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) append(to, child);
    else if (child) to.append(child);
  }
}

/** A file for the person in front of the page. */
export function download(name: string, content: Blob): void {
  const link = h("a", { href: URL.createObjectURL(content), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
