import { expect, test } from "vitest";
import { openPage, password, startStage } from "./support/browser.js";
import type { StageOptions } from "./support/stage.js";

const places: readonly StageOptions[] = [
  { framework: "express", basePath: "" },
  { framework: "express", basePath: "/a/b/admin" },
  { framework: "fastify", basePath: "/a/b/admin" },
  { framework: "koa", basePath: "/a/b/admin" },
  { framework: "fastify", basePath: "/admin", proxyPrefix: "/tools" },
  { framework: "koa", basePath: "", proxyPrefix: "/tools" },
];

test.each(places)("a person signs in and reloads a screen: %j", async (options) => {
  await using stage = await startStage(options);
  await stage.signIn("full");
  await using opened = await openPage(stage, { role: null, path: "" });
  const { page } = opened;
  await page.locator('input[type="email"], input[autocomplete="username"]').first().fill("full@example.com");
  await page.locator('input[type="password"]').fill(password);
  await page.locator('input[type="password"]').press("Enter");
  await page.getByRole("navigation").first().waitFor();
  await page.goto(`${stage.url}/users`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`${stage.mount}/users`);
  const cookies = await page.context().cookies();
  expect(cookies.map(({ httpOnly, path, sameSite }) => ({ httpOnly, path, sameSite }))).toEqual([
    { httpOnly: true, path: stage.mount || "/", sameSite: "Strict" },
  ]);
});
