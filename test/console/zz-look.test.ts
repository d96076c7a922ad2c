import { test } from "vitest";
import { openPage, settle, startStage } from "./support/browser.js";
import { seedScreens } from "./support/seed-screens.js";

test("look", async () => {
  const stage = await startStage({ service: { publicUrl: "https://id.example.com" } });
  const ids = await seedScreens(stage);
  const opened = await openPage(stage);
  const { page } = opened;
  const wanted = (process.env.LOOK ?? "/providers").split(",");
  for (const [n, path] of wanted.entries()) {
    const filled = path.replace(/:(\w+)/g, (_p, name: string) => ids[name] ?? name);
    await page.goto(stage.url + filled);
    await settle(page);
    await page.setViewportSize({
      width: 1280,
      height: Math.min(4000, await page.evaluate(() => document.documentElement.scrollHeight)),
    });
    await page.screenshot({ path: `/tmp/look-${n}.png`, fullPage: true });
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  console.log(opened.faults);
  await page.context().close();
  await stage[Symbol.asyncDispose]();
});
