// The page in a real browser: Debian's Chromium, driven by Playwright. tests/explorer/CMakeLists.txt
// says which program makes the reports (GOSSAMER) and where the browser is (CHROMIUM).
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["tests/browser/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 120_000, fileParallelism: false },
});
