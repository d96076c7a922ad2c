import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { ConsoleRole } from "latchkey/console";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import type { Stage } from "./stage.js";

export { password, type Stage, type StageOptions, startStage } from "./stage.js";

let browser: Promise<Browser> | undefined;

afterAll(async () => {
  await (await browser)?.close();
  browser = undefined;
});

/** Debian's Chromium; the tests download none. */
function findChromium(): string {
  const named = [process.env.LATCHKEY_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = named.find((path) => path !== undefined && existsSync(path));
  if (found === undefined)
    throw new Error("There is no Chromium: install the package chromium, or name one by LATCHKEY_CHROMIUM.");
  return found;
}

/** Options of {@link openPage}. */
export interface PageOptions {
  /** Who is signed in. Default `full`; null for nobody. */
  readonly role?: ConsoleRole | null;
  /** What stands behind the mount point. Default: its start. */
  readonly path?: string;
  readonly context?: BrowserContextOptions;
}

/** A page, and what went wrong on it: errors, violations of its policy, requests to other origins. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** What went wrong so far. A test that expects something removes it. */
  readonly faults: string[];
}

/** Opens a page of the console in a browser of its own. At its end nothing may have gone wrong on it. */
export async function openPage(stage: Stage, options: PageOptions = {}): Promise<WatchedPage> {
  browser ??= chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  const { role = "full", path = "/" } = options;
  const context = await (await browser).newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    ...options.context,
  });
  if (role !== null) await context.addCookies([toCookie(stage, await stage.signIn(role))]);
  const page = await context.newPage();
  const faults = watch(page, new URL(stage.url).origin);
  await page.goto(stage.url + path);
  return {
    page,
    faults,
    async [Symbol.asyncDispose]() {
      await context.close();
      expect(faults).toEqual([]);
    },
  };
}

function toCookie({ mount, url }: Stage, header: string): Parameters<ReturnType<Page["context"]>["addCookies"]>[0][number] {
  const [name = "", value = ""] = header.split("=");
  const { hostname: domain } = new URL(url);
  return { name, value, domain, path: mount || "/", httpOnly: true, sameSite: "Strict" };
}

function watch(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // Browsers report each refused request: what it means is for the page to say.
    const isStatus = /Failed to load resource: the server responded with a status of 4\d\d/.test(message.text());
    if (message.type() === "error" && !isStatus) faults.push(`console: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:data|about|blob):/.test(url)) faults.push(`foreign request: ${url}`);
  });
  return faults;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** How a page is looked at. */
const looks = {
  light: { colorScheme: "light", dir: "ltr", width: 1280 },
  dark: { colorScheme: "dark", dir: "ltr", width: 1280 },
  narrow: { colorScheme: "light", dir: "ltr", width: 320 },
  "right to left": { colorScheme: "light", dir: "rtl", width: 1280 },
} as const;

/** Finds what WCAG 2.2 AA forbids, by axe-core: light, dark, narrow and right to left. At 320 CSS pixels nothing scrolls sideways. */
export async function checkAccessibility(page: Page): Promise<void> {
  const found: string[] = [];
  const viewport = page.viewportSize();
  for (const [look, { colorScheme, dir, width }] of Object.entries(looks)) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((value) => document.documentElement.setAttribute("dir", value), dir);
    for (const fault of await runAxe(page)) found.push(`${look}: ${fault}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) found.push(`${look}: ${wide} pixels too wide`);
  }
  await page.evaluate(() => document.documentElement.setAttribute("dir", "ltr"));
  await page.emulateMedia({ colorScheme: "light" });
  if (viewport !== null) await page.setViewportSize(viewport);
  expect(found).toEqual([]);
}

async function runAxe(page: Page): Promise<readonly string[]> {
  // Not as an element: the policy of the page forbids that.
  await page.evaluate(`${axe}; undefined`);
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const results = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: ${JSON.stringify(tags)}, resultTypes: ["violations"] })`,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id} ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
  );
}

/** Walks a page by the Tab key and returns what has the focus, in order: the role and the name of each, once around. */
export async function walkByKeyboard(page: Page, most: number = 200): Promise<readonly string[]> {
  const seen: string[] = [];
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  for (let step = 0; step < most; step++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return undefined;
      const name = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 60) ?? "";
      return `${element.getAttribute("role") ?? element.tagName.toLowerCase()} ${name}`;
    });
    if (at === undefined) break;
    seen.push(at);
  }
  return seen;
}
