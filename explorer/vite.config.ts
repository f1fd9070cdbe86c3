// Builds the explorer into one HTML file that needs nothing else: script and style are inlined, and
// the file names the digest of the sources it was built from (tools/check-explorer.py compares).
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vite";
import type { Plugin } from "vite";

const root = import.meta.dirname;

/** Files that the built page depends on, in the order of the digest. */
export function sourceFiles(folder = root): string[] {
  const below = (name: string): string[] =>
    readdirSync(join(folder, name), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? below(`${name}/${entry.name}`) : [`${name}/${entry.name}`],
    );
  return ["index.html", "package-lock.json", "package.json", "vite.config.ts", ...below("src")].sort();
}

export function digestOfSources(folder = root): string {
  const digest = createHash("sha256");
  for (const file of sourceFiles(folder)) {
    digest.update(file + "\0");
    digest.update(readFileSync(join(folder, file)));
    digest.update("\0");
  }
  return digest.digest("hex");
}

/** Everything beyond ASCII is in texts of the script: the page can be cut anywhere and in any encoding. */
function ascii(page: string): string {
  return page.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function asciiCss(style: string): string {
  return style.replace(/[\u0080-\uffff]/g, (c) => `\\${c.charCodeAt(0).toString(16)} `);
}

function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("vite wrote no index.html");
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") {
          // "</script" would end the element, "<!--" begins a state in which it would not.
          const code = part.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
          html = html.replace(/<script type="module"[^>]*><\/script>/, () => "");
          html = html.replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
          delete bundle[name];
        } else if (name.endsWith(".css")) {
          html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${asciiCss(String(part.source))}</style>`);
          delete bundle[name];
        }
      }
      html = ascii(html);
      html = html.replace("<title>", () => `<meta name="gossamer-sources" content="${digestOfSources()}">\n  <title>`);
      delete bundle["index.html"];
      this.emitFile({ type: "asset", fileName: "explorer.html", source: html });
    },
  };
}

export default defineConfig({
  plugins: [oneFile()],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 100_000_000,
    chunkSizeWarningLimit: 2_000,
  },
  test: { include: ["tests/unit/**/*.test.ts"] },
} as Parameters<typeof defineConfig>[0]);
