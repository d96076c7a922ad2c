// Every page in a browser, with and without scripts: what WCAG 2.2 AA forbids, in each look, and how much a browser loads.
import { gzipSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderPage } from "../../../adapters/oidc/http/interactions.js";
import { parsePath } from "../../../adapters/oidc/pages/server/paths.js";
import { pages } from "../../../adapters/oidc/pages/table.js";
import { requirement } from "../../support/requirement.js";
import { checkAccessibility } from "../support/accessibility.js";
import { type OpenPages, openContext, openPages } from "./open-pages.js";
import { screenOptions, screens } from "./screens.js";

const pictures = process.env.LATCHKEY_PAGE_PICTURES;

/** What the provider shows beside the pages with a path. The compiler misses none. */
const kinds: Readonly<Record<ProviderPage["kind"], true>> = {
  chooseLogout: true,
  cookiesMissing: true,
  deviceCode: true,
  deviceConfirm: true,
  deviceDone: true,
  error: true,
  loggedOut: true,
  logout: true,
  stillLoggedIn: true,
};

/** Pages that a script leaves at once, or that are of use with one alone. */
const differ: ReadonlySet<string> = new Set([
  "answer of a provider by a form",
  "offer of a passkey",
  "passkey",
  "second factor by a passkey",
]);

const reached = new Set<string>();
/** What each page has without scripts. */
const withoutScripts = new Map<string, readonly string[]>();

function note({ page, stage }: OpenPages): void {
  const found = parsePath(new URL(page.url()).pathname);
  if (found !== undefined) reached.add(found.page);
  for (const { kind } of stage.shown.values()) reached.add(kind);
}

/** The heading, and each control that a user sees. */
async function readPage(page: Page): Promise<readonly string[]> {
  const heading = await page.textContent("h1");
  const controls = await page.locator("a:visible, button:visible, input:visible, select:visible, textarea:visible").all();
  const names = controls.map(async (control) => (await control.getAttribute("name")) ?? (await control.textContent()) ?? "");
  return [heading ?? "", ...(await Promise.all(names))];
}

describe.each([false, true])("with scripts: %s", (javaScriptEnabled) => {
  let context: BrowserContext;
  beforeAll(async () => {
    context = await openContext({ javaScriptEnabled });
  });
  afterAll(() => context.close());
  for (const [name, reach] of Object.entries(screens))
    requirement("pages.accessible", `${name} is accessible in each look, and small`, async () => {
      await using opened = await openPages({}, context, screenOptions);
      const { page } = opened;
      await reach(opened);
      note(opened);
      if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name.replaceAll(" ", "-")}.png`, fullPage: true });
      const content = await readPage(page);
      expect(content.every((text) => text.trim() !== "")).toBe(true);
      if (!javaScriptEnabled) withoutScripts.set(name, content);
      else if (!differ.has(name)) expect(content).toEqual(withoutScripts.get(name));
      // The rules are checked by a script.
      if (javaScriptEnabled) await checkAccessibility(page);
      expect(gzipSync(await page.content()).length).toBeLessThan(3_000);
    });
});

requirement("pages.no-script", "each page that there is was reached", () => {
  expect([...reached].toSorted()).toEqual([...Object.keys(pages), ...Object.keys(kinds)].toSorted());
});

test("the style sheet is small, and browsers keep it", async () => {
  await using opened = await openPages();
  const { page, url } = opened;
  const loading = page.waitForResponse(/styles\.css/);
  await page.goto(`${url}/oauth2/interaction/interaction-1`);
  const response = await loading;
  expect(gzipSync(await response.body()).length).toBeLessThan(2_500);
  expect(response.headers()["cache-control"]).toContain("immutable");
});
