import { readFileSync, statSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { first, graph, lines, text } from "../unit/fixture";
import { committed, explore, launch, open, pageWith, program, root } from "./reports";

const views = ["overview", "scatter", "speedup", "profile", "roofline", "matrix", "heuristics", "breakeven", "compare", "papers"];
let browser: Browser;
let report: string;

beforeAll(async () => {
  report = explore("committed", ...committed);
  browser = await launch();
});
afterAll(() => browser.close());

const control = (page: Page, name: string) => page.locator(`[data-control="${name}"]`);
const cases = async (page: Page) => Number((await page.locator('[role="status"]').textContent())!.split(" ")[0]);
async function saved(page: Page, what: string): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-export="${what}"]`).first().click()]);
  return readFileSync(await download.path());
}

describe("the committed results", () => {
  it("fit into a page of less than 3 MB that names nothing outside", () => {
    expect(statSync(report).size).toBeLessThan(3e6);
    expect(readFileSync(report, "utf8")).not.toMatch(/(src|href)="https?:/);
  });

  it("are shown by every view, without errors and requests", async () => {
    const { page, faults } = await open(browser, report);
    for (const view of views) {
      await page.evaluate((v) => { location.hash = v; }, view);
      await page.waitForSelector(`nav a[aria-current="page"][href^="#${view}"]`);
      expect(await page.locator("main svg, main table").count(), view).toBeGreaterThan(0);
      expect(await page.locator(".warning[role=alert]").count(), view).toBe(0);
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  it("are filtered by operation, processor, type, class and search; links and reloads keep that", async () => {
    const { page, faults } = await open(browser, report, "#speedup");
    const all = await cases(page);
    await control(page, "Processor").selectOption("cuda");
    await page.waitForURL(/on=cuda/);
    const onGpu = await cases(page);
    expect(onGpu).toBeGreaterThan(0);
    expect(onGpu).toBeLessThan(all);
    await control(page, "Values").selectOption("f32");
    await page.waitForURL(/type=f32/);
    await control(page, "Class").selectOption("mesh");
    await page.waitForURL(/class=mesh/);
    await control(page, "Search").fill("2D5");
    await control(page, "Search").press("Enter");
    await page.waitForURL(/q=2D5/);
    const few = await cases(page);
    expect(few).toBeGreaterThan(0);
    expect(few).toBeLessThan(onGpu);
    const title = await page.locator("figure h3").first().textContent();
    await page.reload();
    await page.waitForSelector("main h2");
    expect(await cases(page)).toBe(few);
    expect(await page.locator("figure h3").first().textContent()).toBe(title);
    const other = await open(browser, report, new URL(page.url()).hash);
    expect(await cases(other.page)).toBe(few);
    await other.page.close();
    await page.goBack();
    await page.waitForFunction(() => !location.hash.includes("q="));
    expect(faults).toEqual([]);
    await page.close();
  });

  it("have tooltips, and a click leads to the page of the matrix", async () => {
    const { page } = await open(browser, report, "#speedup?op=spgemm");
    const dot = page.locator('main svg [aria-label="dot"] circle').first();
    const box = (await dot.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const tip = page.locator('main svg [aria-label="tip"] text');
    await tip.first().waitFor();
    expect(await tip.first().textContent()).toMatch(/×.*spgemm/s);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForURL(/#matrix\?/);
    expect(await page.locator("main").textContent()).toMatch(/nonzeros per row/);
    await page.close();
  });

  it("are exported as SVG, PNG and CSV", async () => {
    const { page } = await open(browser, report, "#scatter?op=spmm");
    const svg = (await saved(page, "svg")).toString();
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).toContain("GFLOP/s over nonzeros of A");
    expect(svg).toContain("Gossamer's choice");
    const png = await saved(page, "png");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(png.readUInt32BE(16)).toBeGreaterThan(1500); // twice the width on the screen
    const csv = (await saved(page, "csv")).toString().trim().split("\r\n");
    expect(csv[0]).toBe("matrix,class,case,machine,contestant,nonzeros,seconds,GFLOP/s");
    const shown = await page.locator("details summary").first().textContent();
    expect(shown).toContain((csv.length - 1).toLocaleString("en-US"));
    await page.close();
  });

  it("show the figures of the papers beside what the papers say", async () => {
    const { page } = await open(browser, report, "#papers");
    for (const figure of ["anzt-fig-8", "dalton-table-11", "gu-fig-7"]) {
      const verdict = page.locator(`#${figure} .verdict`);
      expect(await verdict.locator("h4").allTextContents()).toEqual([expect.stringMatching(/^The paper/), expect.stringMatching(/^Here/)]);
      expect((await verdict.locator("p").nth(1).textContent())!.length, figure).toBeGreaterThan(20);
    }
    await page.close();
  });
});

describe("access", () => {
  it("works by keyboard", async () => {
    const { page } = await open(browser, report, "#scatter?op=spmm");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement!.textContent)).toBe("Skip to the view");
    await page.locator("nav a", { hasText: "Profile" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/#profile/);
    await control(page, "Caches: warm").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/caches=cold/);
    // The address changes before the view is drawn again, which takes the focus away.
    const rows = page.locator("details[open] table tbody tr");
    for (let tries = 0; tries < 40 && (await rows.count()) === 0; ++tries) {
      await page.locator("details summary").first().focus();
      await page.keyboard.press("Enter");
      await page.waitForTimeout(250);
    }
    await rows.first().waitFor();
    await page.locator("details th button").nth(1).focus();
    await page.keyboard.press("Enter");
    expect(await page.locator("details th").nth(1).getAttribute("aria-sort")).toBe("descending");
    await page.close();
  });

  it("names every control and every picture", async () => {
    const { page } = await open(browser, report, "#speedup?op=spmm");
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>("select, input, button, main svg[role=img]")]
        .filter((e) => !(e.getAttribute("aria-label") || e.labels?.length || e.textContent?.trim()))
        .map((e) => e.outerHTML.slice(0, 80)));
    expect(nameless).toEqual([]);
    expect(await page.locator("main svg[role=img]").first().getAttribute("aria-label")).toMatch(/Speed-up of .* Geometric mean/);
    expect(await page.locator("h1, h2").count()).toBe(1);
    await page.close();
  });

  it("follows the system's dark theme, and a person's choice", async () => {
    const { page } = await open(browser, report, "#overview", { colorScheme: "dark" });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await paper();
    await control(page, "theme").click();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("light");
    expect(await paper()).not.toBe(dark);
    await page.close();
  });

  it("fits a phone in every view", async () => {
    const { page } = await open(browser, report, "#overview", { viewport: { width: 360, height: 740 } });
    for (const view of views) {
      await page.evaluate((v) => { location.hash = v; }, view === "matrix" ? "matrix?matrix=2D5" : view);
      await page.waitForSelector(`nav a[aria-current="page"][href^="#${view}"]`);
      expect(await page.evaluate(() => document.scrollingElement!.scrollWidth), view).toBeLessThanOrEqual(360);
    }
    await page.close();
  });
});

describe("other data", () => {
  it("nothing: the page says how to get results, and takes files", async () => {
    const { page, faults } = await open(browser, pageWith("empty", {}));
    expect(await page.locator("main").textContent()).toContain("gossamer explore results.jsonl -o report.html");
    await page.locator('input[type="file"]').setInputFiles(committed.find((f) => f.endsWith("xeon-16-spmv.jsonl"))!);
    await page.waitForSelector("main figure svg");
    expect(faults).toEqual([]);
    await page.close();
  });

  it("a broken file: its name, line and fault, and the others are shown", async () => {
    const { page, faults } = await open(browser, pageWith("broken", { "broken.jsonl": text().slice(0, -9), "empty.jsonl": "", "good.jsonl": text() }));
    const alerts = await page.locator("[role=alert]").allTextContents();
    expect(alerts.length).toBe(2);
    expect(alerts[0]).toMatch(/broken\.jsonl, line 9/);
    expect(alerts[1]).toMatch(/empty\.jsonl: the file is empty/);
    await page.waitForSelector("main figure svg");
    expect(faults).toEqual([]);
    await page.close();
  });

  it("results without a single case: the page says so", async () => {
    const { page } = await open(browser, pageWith("caseless", { "none.jsonl": text([first]) }));
    expect(await page.locator("main h2").textContent()).toBe("No results yet");
    await page.close();
  });

  it("5,000 records are drawn, each as one mark", async () => {
    const many = Array.from({ length: 1250 }, (_, k) => [
      { ...graph, matrix: { ...graph.matrix, name: `m${k}` }, features: { ...graph.features, nnz: 1000 + 37 * k } },
      ...lines.slice(2, 6).map((l) => { const copy = structuredClone(l) as any[]; copy[6][0] = 1 + ((k * 7919) % 1000) / 100; return copy; }),
    ]).flat();
    const { page, faults } = await open(browser, pageWith("many", { "many.jsonl": text([first, ...many]) }), "#scatter?show=best|spmv/csr/rows/openmp|spmv/csr/sell/openmp|eigen/rowmajor");
    expect(await page.locator('main svg [aria-label="dot"] > *').count()).toBe(5000);
    const start = Date.now();
    await page.locator(".segments label", { hasText: /^time$/ }).click();
    await page.waitForURL(/y=seconds/);
    await page.locator("figure h3", { hasText: "seconds per product" }).waitFor();
    console.log(`5,000 records drawn again in ${Date.now() - start} ms`);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("a matrix measured now has its page: histogram, spy plot, times, explanation", async () => {
    const { page, faults } = await open(browser, explore("matrix", join(root, "tests/data/west0479.mtx.gz"), "--case-seconds", "0.01", "--threads", "1"), "#matrix?matrix=west0479.mtx.gz");
    const titles = await page.locator("figure h3").allTextContents();
    expect(titles).toEqual([expect.stringMatching(/^Times: spmv/), "Rows by length", "Where the nonzeros are"]);
    expect(await page.locator("main pre").textContent()).toContain("chosen spmv/");
    expect(await page.locator("main").textContent()).toMatch(/Regret 1/);
    expect(faults).toEqual([]);
    await page.close();
  });

  it("--serve shows the page on localhost", async () => {
    const server = spawn(program, ["explore", committed[0]!, "--serve"]);
    try {
      const address = await new Promise<string>((resolve, reject) => {
        let said = "";
        server.stdout.on("data", (d) => { said += d; const found = /http:\S+/.exec(said); if (found) resolve(found[0]); });
        server.on("exit", () => reject(new Error(`it ended: ${said}`)));
      });
      const page = await browser.newPage();
      await page.goto(address);
      await page.waitForSelector("main figure svg");
      expect((await page.request.get(`${address}other`)).status()).toBe(404);
      await page.close();
    } finally {
      server.kill();
    }
  });
});
