import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, inject } from "vitest";
import type { PageOptions } from "../../../adapters/oidc/pages/index.js";
import { type Stage, type StageOptions, startStage } from "../../oidc-pages/support/stage.js";
import { hosts } from "../../transport/support/hosts.js";
import { countRequests } from "../support/settle.js";

// Of the run: its end closes it.
let browser: Promise<Browser> | undefined;

/** A service with the pages on a port of this machine, an application on another, and a browser. */
export interface OpenPages extends AsyncDisposable {
  readonly stage: Stage;
  /** Where the pages are. */
  readonly url: string;
  /** Where the application is: another origin. */
  readonly appUrl: string;
  readonly page: Page;
  /** What went wrong on the page: errors, and violations of its policy. */
  readonly faults: string[];
}

/** Opens a profile of the browser. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  browser ??= chromium.connect(inject("chromium"));
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", ...options });
  context.setDefaultTimeout(30_000);
  return context;
}

/**
 * Starts a service with the pages, and opens a page in a profile of its own, or in one that its owner closes. At its end nothing may have gone wrong, and
 * the profile has no cookies.
 */
export async function openPages(
  pages: PageOptions = {},
  context: BrowserContextOptions | BrowserContext = {},
  options: StageOptions = {},
): Promise<OpenPages> {
  let url = "";
  const stage = await startStage(pages, { findPublicUrl: () => url, ...options });
  const host = hosts.find(({ name }) => name === "node");
  if (host === undefined) throw new Error("There is no host.");
  const running = await host.start([{ identity: stage.world.identity, basePath: "" }]);
  url = `http://localhost:${running.port}`;
  const app = createServer((_request, response) => response.end("The application"));
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  const appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  stage.ask({ params: { redirect_uri: `${appUrl}/callback` } });
  const isShared = "newPage" in context;
  const opened = isShared ? context : await openContext(context);
  const page = await opened.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    const isStatus = /Failed to load resource/.test(message.text());
    if (message.type() === "error" && !isStatus) faults.push(`console: ${message.text()}`);
  });
  countRequests(page);
  return {
    stage,
    url,
    appUrl,
    page,
    faults,
    async [Symbol.asyncDispose]() {
      if (isShared) await Promise.all([page.close(), opened.clearCookies()]);
      else await opened.close();
      app.closeAllConnections();
      app.close();
      await running[Symbol.asyncDispose]();
      expect(faults).toEqual([]);
    },
  };
}
