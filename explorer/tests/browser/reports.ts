// Reports for the tests: by the built program, or by hand where the program rightly refuses.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { chromium } from "playwright-core";

export const root = join(import.meta.dirname, "../../..");
export const program = process.env.GOSSAMER ?? join(root, "build/release/cli/gossamer");
export const folder = mkdtempSync(join(tmpdir(), "gossamer-explorer-"));

export const committed = readdirSync(join(root, "bench/results")).filter((f) => f.endsWith(".jsonl")).map((f) => join(root, "bench/results", f));

export function explore(name: string, ...words: string[]): string {
  const page = join(folder, `${name}.html`);
  execFileSync(program, ["explore", ...words, "-o", page], { env: { ...process.env, OMP_WAIT_POLICY: "passive" } });
  return page;
}

/** The page with any text as data, which the program would refuse. */
export function pageWith(name: string, files: Record<string, string>): string {
  const elements = Object.entries(files).map(([file, text]) => `<script type="application/x-gossamer-results" data-name="${file}">${text}</script>`);
  const page = join(folder, `${name}.html`);
  writeFileSync(page, readFileSync(join(root, "explorer/dist/explorer.html"), "utf8").replace("<!--gossamer:data-->", () => elements.join("\n")));
  return page;
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** A page that notes what must not happen: errors, and requests for anything but itself. */
export async function open(browser: Browser, file: string, hash = "", options: Parameters<Browser["newPage"]>[0] = {}): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const faults: string[] = [];
  page.on("pageerror", (e) => faults.push(e.message));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  page.on("request", (r) => !/^(file|data|blob):/.test(r.url()) && faults.push(`requests ${r.url()}`));
  await page.goto(`file://${file}${hash}`);
  await page.waitForSelector("main h2");
  return { page, faults };
}
