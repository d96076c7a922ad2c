import { expect } from "vitest";
import { expectOk } from "./answer.js";
import type { Caller } from "./caller.js";

/** The ids of all results of a search, read one record per page, by the page tokens. */
export async function walkPages(caller: Caller, path: string, plural: string, orderBy: string): Promise<unknown[]> {
  const ids: unknown[] = [];
  for (let nextResults: string | undefined; ; ) {
    const answer = expectOk(await caller.post(path, { search: { orderBy, numberOfResults: 1, nextResults } }));
    ids.push(...answer.each(plural, "id"));
    nextResults = answer.at("nextResults") as string | undefined;
    if (nextResults === undefined) return ids;
    expect(nextResults.length).toBeLessThan(1_000);
  }
}
