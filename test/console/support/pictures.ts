import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { settle } from "./settle.js";

const folder = join(import.meta.dirname, "../../../docs/images");

/** Keeps a picture of a page in docs/images: only for `npm run console:pictures`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.LATCHKEY_CONSOLE_PICTURES !== "1") return;
  await settle(page);
  const notices = page.locator(".notice .icon-only");
  while ((await notices.count()) > 0) await notices.first().click();
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 50 });
  const bytes = Buffer.from(data, "base64");
  expect(bytes.length).toBeLessThanOrEqual(60 * 1_024);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `console-${name}.webp`), bytes);
}
