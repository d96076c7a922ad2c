import type { Page, Request } from "playwright-core";
import { expect } from "vitest";
import { withinLimit } from "./time-limit.js";

interface Traffic {
  readonly open: Set<Request>;
  started: number;
}

const traffic = new WeakMap<Page, Traffic>();

/** Counts the requests of a page, for {@link settle}. */
export function countRequests(page: Page): void {
  const counted: Traffic = { open: new Set(), started: 0 };
  traffic.set(page, counted);
  page.on("request", (request) => {
    counted.open.add(request);
    counted.started++;
  });
  page.on("requestfinished", (request) => counted.open.delete(request));
  page.on("requestfailed", (request) => counted.open.delete(request));
}

/** Waits until a page shows all that it loads: it waits for no request, begins none within some frames, and marks nothing as loading. */
export async function settle(page: Page): Promise<void> {
  const counted = traffic.get(page);
  if (counted === undefined) throw new Error("The requests of this page are not counted.");
  const findWork = async (): Promise<readonly string[]> => {
    const { started } = counted;
    const isLoading = await withinLimit("whether it loads", page.evaluate(isStillLoading));
    const open = [...counted.open].map((request) => `waits for ${request.method()} ${request.url()}`);
    return [
      ...open,
      ...(isLoading ? ["marks something as loading"] : []),
      ...(counted.started === started ? [] : ["begins requests"]),
    ];
  };
  await expect.poll(findWork, { message: "the page loads no more" }).toEqual([]);
}

async function isStillLoading(): Promise<boolean> {
  // Not by idle callbacks: a page that draws nothing may get none until their timeout. Effects run in a task after the frame.
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return document.querySelector('#app:empty, .loading, [aria-busy="true"]') !== null;
}
