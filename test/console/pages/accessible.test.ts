// Every page in a browser: what WCAG 2.2 AA forbids, in each look, and how much a browser loads.
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { checkAccessibility } from "../support/accessibility.js";
import { openPages } from "./open-pages.js";
import { screens } from "./screens.js";

const pictures = process.env.LATCHKEY_PAGE_PICTURES;

for (const [name, reach] of Object.entries(screens))
  test(`${name} is accessible in each look, and small`, async () => {
    await using opened = await openPages();
    const { page } = opened;
    await reach(opened);
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name.replaceAll(" ", "-")}.png`, fullPage: true });
    await checkAccessibility(page);
    expect(gzipSync(await page.content()).length).toBeLessThan(3_000);
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
