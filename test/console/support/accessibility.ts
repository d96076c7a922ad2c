import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { withinLimit } from "./time-limit.js";

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
    await withinLimit(`its colors: ${look}`, page.emulateMedia({ colorScheme, reducedMotion: "reduce" }));
    await withinLimit(`its size: ${look}`, page.setViewportSize({ width, height: 800 }));
    await withinLimit(`its direction: ${look}`, page.evaluate(showDirection, dir));
    for (const fault of await runAxe(page)) found.push(`${look}: ${fault}`);
    const wide = await withinLimit(`its width: ${look}`, page.evaluate(overflow));
    if (wide > 0) found.push(`${look}: ${wide} pixels too wide`);
  }
  await withinLimit("its direction", page.evaluate(showDirection, "ltr"));
  await withinLimit("its colors", page.emulateMedia({ colorScheme: "light" }));
  if (viewport !== null) await withinLimit("its size", page.setViewportSize(viewport));
  expect(found).toEqual([]);
}

/** Sets the direction, and waits until colors and places are those of the look: transitions take frames, however short they are. */
async function showDirection(dir: string): Promise<void> {
  document.documentElement.setAttribute("dir", dir);
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  for (const animation of document.getAnimations()) {
    const { iterations = 1 } = animation.effect?.getTiming() ?? {};
    if (Number.isFinite(iterations)) animation.finish();
    else animation.cancel();
  }
}

// Not as an element: the policy of the page forbids that.
async function addAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(`${axe}; undefined`);
}

function overflow(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

async function runAxe(page: Page): Promise<readonly string[]> {
  await withinLimit("the script of axe", addAxe(page));
  const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  // Frames hold what is not of the console: mails, and pages of the host.
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"], iframes: false });
  const results = await withinLimit("axe", page.evaluate<AxeResults>(`axe.run(document, ${options})`));
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id} ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
  );
}
