// The first list on a large storage: `npm run bench:console` does it with 1,000,000 users, and prints what it measures.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStorage } from "latchkey/sqlite";
import type { Page } from "playwright-core";
import { expect, vi } from "vitest";
import { requirement } from "../support/requirement.js";
import { openPage, settle, startStage } from "./support/browser.js";

const count = Number(process.env.LATCHKEY_CONSOLE_USERS ?? 1_000);
const isBench = count > 100_000;

// To make them takes longer than any test.
if (isBench) vi.setConfig({ testTimeout: 3_600_000 });

function* listUsers(): Generator<{ readonly email: string; readonly fullName: string }> {
  for (let number = 0; number < count; number++) yield { email: `user${number}@example.com`, fullName: `User ${number}` };
}

/** Opens the list as somebody who follows a link to it: the page, who is signed in, and the list. Returns the server's time for the list. */
async function openUsers(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/users`);
  await page
    .getByRole("row", { name: /@example\.com/ })
    .first()
    .waitFor();
  await settle(page);
  return page.evaluate(readSearchTime);
}

/** From the end of the request to the first byte of the answer, in the browser. */
function readSearchTime(): number {
  const [search] = performance
    .getEntriesByType("resource")
    .filter((entry): entry is PerformanceResourceTiming => entry.name.includes("/api/user/search"));
  return search === undefined ? Number.NaN : search.responseStart - search.requestStart;
}

requirement("console.many-users", "the first list needs at most four requests, and finds users on the server", async () => {
  const directory = await mkdtemp(join(tmpdir(), "latchkey-console-"));
  try {
    const storage = sqliteStorage({ filename: join(directory, "identity.db") });
    await using stage = await startStage({ service: { storage, auditChanges: false, delivery: false } });
    const { job } = await stage.identity.users.import(listUsers());
    expect(job.created).toBe(count);
    await using opened = await openPage(stage);
    const { page } = opened;
    await settle(page);
    const requests: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (!/\/assets\/|\.css$/.test(pathname)) requests.push(`${request.method()} ${pathname}`);
    });
    const times: number[] = [];
    for (let load = 0; load < (isBench ? 5 : 1); load++) {
      requests.length = 0;
      times.push(await openUsers(page, stage.url));
    }
    const first = Math.round(times[0] ?? Number.NaN);
    const usual = Math.round(times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN);
    console.log(
      `${count} users: the server takes ${usual} ms for the list (300), ${first} ms for the first after the import; ${requests.length} requests (4)`,
    );
    expect(requests).toContain("POST /admin/api/user/search");
    expect(requests.length).toBeLessThanOrEqual(4);
    const search = page.getByRole("searchbox").or(page.getByPlaceholder("Search users")).first();
    await search.fill(`user${count - 1}@example.com`);
    await search.press("Enter");
    await page
      .getByRole("row", { name: new RegExp(`user${count - 1}@example`) })
      .first()
      .waitFor();
  } finally {
    await rm(directory, { recursive: true });
  }
});
