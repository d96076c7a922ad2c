import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { checkAccessibility, openPage, type Stage, settle, startStage, type WatchedPage, walkContents } from "./browser.js";
import type { ListedScreen } from "./screens.js";
import { seedScreens } from "./seed-screens.js";
import { withinLimit } from "./time-limit.js";

/** Declares a test for each of these screens, as a person goes from one to the next. */
export function checkScreens(listed: readonly ListedScreen[]): void {
  let stage: Stage;
  let ids: Readonly<Record<string, string>>;
  let opened: WatchedPage;
  beforeAll(async () => {
    const tabs = [{ id: "orders", label: "Orders", url: "/hello" }];
    stage = await startStage({ service: { mail: async () => ({ kind: "ok" }) }, console: { tabs } });
    ids = await seedScreens(stage);
    opened = await openPage(stage);
  });
  // A page that stopped answering fails one test, not those after it.
  afterEach(async ({ task }) => {
    if (task.result?.state !== "fail") return;
    await withinLimit("its end", opened[Symbol.asyncDispose]()).catch(() => undefined);
    opened = await openPage(stage);
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await stage[Symbol.asyncDispose]();
  });
  const fill = (path: string): string => path.replace(/:(\w+)/g, (_place, name: string) => ids[name] ?? `no ${name}`);

  test.for(listed)("%s: accessible in each look, each control reached by keyboard, each tab listed", async ([path, heading]) => {
    const { faults, page } = opened;
    const [screen] = path.split("?");
    // As a link does: what was loaded stays.
    await withinLimit(
      "its address",
      page.evaluate((url) => history.pushState(null, "", url), stage.mount + fill(path)),
    );
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await settle(page);
    await checkAccessibility(page);
    expect((await walkContents(page)).missed).toEqual([]);
    expect(await findUnlistedTabs(page, (tab) => listed.some(([one]) => one.startsWith(`${screen}?tab=${tab}`)))).toEqual([]);
    expect(faults.splice(0)).toEqual([]);
  });
}

// The first tab is the screen without a tab in its address.
function findUnlistedTabs(page: Page, isListed: (tab: string) => boolean): Promise<readonly string[]> {
  const ids = page
    .getByRole("main")
    .getByRole("tab")
    .evaluateAll((tabs) => tabs.map(({ id }) => id.replace(/^tab-/, "")));
  return withinLimit("its tabs", ids).then((found) => found.slice(1).filter((tab) => !isListed(tab)));
}
