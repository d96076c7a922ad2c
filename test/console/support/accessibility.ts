import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { withinLimit } from "./time-limit.js";
import { isWhole } from "./whole.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** How a page is looked at. */
const looks = {
  light: { colorScheme: "light", dir: "ltr", width: 1280 },
  dark: { colorScheme: "dark", dir: "ltr", width: 1280 },
  narrow: { colorScheme: "light", dir: "ltr", width: 320 },
  "right to left": { colorScheme: "light", dir: "rtl", width: 1280 },
} as const;

/**
 * Finds what WCAG 2.2 AA forbids, by axe-core: light, dark, narrow and right to left; by default in one of these looks. Nothing ever
 * scrolls sideways.
 */
export async function checkAccessibility(page: Page): Promise<void> {
  const found: string[] = [];
  const viewport = page.viewportSize();
  const sampled = sampleLooks();
  for (const [look, { colorScheme, dir, width }] of Object.entries(looks)) {
    const isSampled = sampled.includes(look);
    if (!isSampled && colorScheme === "dark") continue;
    await withinLimit(`its colors: ${look}`, page.emulateMedia({ colorScheme, reducedMotion: "reduce" }));
    if (page.viewportSize()?.width !== width)
      await withinLimit(`its size: ${look}`, page.setViewportSize({ width, height: 800 }));
    const wide = await withinLimit(`its direction: ${look}`, page.evaluate(showDirection, dir));
    if (wide > 0) found.push(`${look}: ${wide} pixels too wide`);
    if (isSampled) for (const fault of await runAxe(page)) found.push(`${look}: ${fault}`);
  }
  await withinLimit("its direction", page.evaluate(showDirection, "ltr"));
  await withinLimit("its colors", page.emulateMedia({ colorScheme: "light" }));
  if (viewport !== null) await withinLimit("its size", page.setViewportSize(viewport));
  expect(found).toEqual([]);
}

// By the name of the test, so that a test sees the same in each run.
function sampleLooks(): readonly string[] {
  const all = Object.keys(looks);
  const name = expect.getState().currentTestName ?? "";
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return isWhole ? all : [all[sum % all.length] ?? ""];
}

/** Sets the direction, and waits until colors and places are those of the look: transitions take frames, however short they are. Returns the pixels that are too wide. */
async function showDirection(dir: string): Promise<number> {
  document.documentElement.setAttribute("dir", dir);
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  for (const animation of document.getAnimations()) {
    const { iterations = 1 } = animation.effect?.getTiming() ?? {};
    if (Number.isFinite(iterations)) animation.finish();
    else animation.cancel();
  }
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

// Not as an element: the policy of the page forbids that.
async function addAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(`${axe}; undefined`);
}

/** Pages whose frame was checked: the navigation around the contents stays the same. */
const framed = new WeakSet<Page>();

async function runAxe(page: Page): Promise<readonly string[]> {
  await withinLimit("the script of axe", addAxe(page));
  const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  // Frames hold what is not of the console: mails, and pages of the host.
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"], iframes: false });
  const context = JSON.stringify({ exclude: framed.has(page) && !isWhole ? [".shell > .navigation"] : [] });
  framed.add(page);
  const results = await withinLimit("axe", page.evaluate<AxeResults>(`axe.run(${context}, ${options})`));
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id} ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
  );
}
