// A script in every text field of every family: no screen runs one.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { openPage, settle, startStage } from "./support/browser.js";
import { families, plantProbes, probe, withoutTexts } from "./support/plant-probes.js";
import { allScreens } from "./support/screens.js";
import { seedScreens } from "./support/seed-screens.js";

/** Whether the page shows the probe as a text; that it is none of its elements is checked. */
async function showsProbe(page: Page, path: string): Promise<boolean> {
  await settle(page);
  expect([path, await page.locator('img[src="x"]').count()]).toEqual([path, 0]);
  const texts = await page.evaluate(() => [
    document.body.innerText,
    ...[...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].map(({ value }) => value),
  ]);
  return texts.join("\n").includes("<script>alert(2)</script>");
}

requirement("console.scripts", "a script in every text field of every family runs on no screen", async () => {
  await using stage = await startStage();
  const ids = await seedScreens(stage);
  const planted = await plantProbes(stage.identity, ids);
  expect([...new Set([...planted, ...withoutTexts])].sort()).toEqual(families);
  await using opened = await openPage(stage);
  const { page } = opened;
  const shown: string[] = [];
  for (const [path] of allScreens) {
    const filled = path.replace(/:(\w+)/g, (_place, name: string) => ids[name] ?? name);
    await page.evaluate((url) => history.pushState(null, "", url), stage.mount + filled);
    if (await showsProbe(page, path)) shown.push(path);
  }
  // It was where people look: in lists, heads, forms, tabs, histories.
  expect(shown.length).toBeGreaterThan(50);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search everything" }).fill('"><img');
  await page
    .getByRole("option", { name: /<script>/ })
    .first()
    .waitFor();
  expect(await showsProbe(page, "the search over everything")).toBe(true);
  // As the first page too, whose data the server writes.
  for (const path of [`/users/${ids.user}`, `/groups/${ids.group}`]) {
    await page.goto(stage.url + path);
    expect(await showsProbe(page, path)).toBe(true);
  }
  expect(opened.faults).toEqual([]);
});

test("the probe would be seen: a page without a policy runs it", async () => {
  await using stage = await startStage();
  await using opened = await openPage(stage);
  await opened.page.goto("about:blank");
  await opened.page.setContent(probe);
  await expect.poll(() => opened.faults.length).toBeGreaterThan(0);
  opened.faults.length = 0;
});
