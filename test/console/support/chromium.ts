// What all test files of a run share: the built console, and one browser.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { buildConsoleWhenStale } from "../../../scripts/build-console.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the browser of the run listens. */
    readonly chromium: string;
  }
}

/** Builds the console and starts the browser. Vitest calls it before the run, and what it answers after the run. */
export default async function startRun({ provide }: TestProject): Promise<() => Promise<void>> {
  await buildConsoleWhenStale();
  const server = await chromium.launchServer({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  });
  provide("chromium", server.wsEndpoint());
  return () => server.close();
}

/** The system's Chromium; the tests download none. */
function findChromium(): string {
  const named = [
    process.env.LATCHKEY_CHROMIUM,
    // The engine without the rest of a browser: a profile takes a quarter of the time.
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  const found = named.find((path) => path !== undefined && existsSync(path));
  if (found === undefined)
    throw new Error("There is no Chromium: install the package chromium, or name one by LATCHKEY_CHROMIUM.");
  return found;
}
