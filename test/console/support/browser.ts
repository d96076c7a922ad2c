import type { ConsoleRole } from "latchkey/console";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, inject } from "vitest";
import { countRequests } from "./settle.js";
import type { Stage } from "./stage.js";

export { checkAccessibility } from "./accessibility.js";
export { walkByKeyboard, walkContents } from "./keyboard.js";
export { settle } from "./settle.js";
export { password, type Stage, type StageOptions, startStage } from "./stage.js";

// Of the run: its end closes it.
let browser: Promise<Browser> | undefined;

/** A slow machine needs longer; a page that is right needs a moment. */
const patience = 60_000;

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
  browser ??= chromium.connect(inject("chromium"));
  const { role = "full", path = "/" } = options;
  const context = await (await browser).newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    ...options.context,
  });
  context.setDefaultTimeout(patience);
  if (role !== null) await context.addCookies([toCookie(stage, await stage.signIn(role))]);
  const page = await context.newPage();
  const faults = watch(page, new URL(stage.url).origin);
  countRequests(page);
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
