// The results inside the page: `gossamer explore` puts each file into a script element of its own,
// compressed (gzip) and in base64, or as plain text.
import type { MatrixDetail, Run } from "./model";
import { BadResults, parseDetails, parseResults } from "./parse";

export interface Loaded {
  runs: Run[];
  details: MatrixDetail[];
  problems: string[];
}

async function unpack(element: Element): Promise<string> {
  const text = element.textContent ?? "";
  if (element.getAttribute("data-encoding") !== "gzip base64") return text;
  return gunzip(Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0)));
}

export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Adds one file to what is loaded; a file that cannot be read becomes a problem, not an exception. */
export function add(to: Loaded, file: string, text: string): void {
  try {
    if (text.startsWith('{"schema":"gossamer-matrix/')) to.details.push(...parseDetails(file, text));
    else to.runs.push(parseResults(file, text));
  } catch (e) {
    to.problems.push(e instanceof BadResults ? e.message : `${file}: ${String(e)}`);
  }
}

export async function load(page: Document): Promise<Loaded> {
  const loaded: Loaded = { runs: [], details: [], problems: [] };
  for (const element of page.querySelectorAll('script[type="application/x-gossamer-results"]')) {
    const file = element.getAttribute("data-name") ?? "results";
    try {
      add(loaded, file, await unpack(element));
    } catch (e) {
      loaded.problems.push(`${file}: the data inside this page is damaged (${(e as Error).message})`);
    }
  }
  return loaded;
}

/** Files that a person dropped on the page or chose. */
export async function loadFiles(to: Loaded, files: Iterable<File>): Promise<void> {
  for (const file of files) {
    try {
      const text = file.name.endsWith(".gz") ? await gunzip(new Uint8Array(await file.arrayBuffer())) : await file.text();
      add(to, file.name, text);
    } catch (e) {
      to.problems.push(`${file.name}: cannot be read (${(e as Error).message})`);
    }
  }
}
