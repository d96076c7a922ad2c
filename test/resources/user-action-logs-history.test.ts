import { globalScope } from "latchkey/ports";
import { expect } from "vitest";
import { userActionLogsTable } from "../../src/records/user-action-logs/family.js";
import { expectOk } from "../support/answer.js";
import { startBan } from "../support/families/user-actions.js";
import { ids } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const path = "/api/user/action";
const hour = 3_600_000;

forEachStorage((start) => {
  requirement("user-action.history", "an action keeps its newest 1,000 steps, and fewer where they are long", async () => {
    const world = await start({ maxBodyBytes: 200_000 });
    const id = await startBan(world);
    const change = async (comment: string): Promise<readonly unknown[]> => {
      const action = { actionerUserId: ids.user, comment, expiry: world.clock.instant + hour };
      const changed = expectOk(await world.caller.put(`${path}/${id}`, { action }));
      return changed.each("action.history.historyItems", "comment");
    };
    const [stored] = await world.storage.find(globalScope, userActionLogsTable, undefined);
    if (stored === undefined) throw new Error("There is no action.");
    const historyItems = Array.from({ length: 1_000 }, (_, index) => ({
      actionerUserId: ids.user,
      comment: `${index}`,
      createInstant: index,
    }));
    const json = JSON.stringify({ ...JSON.parse(stored.json), history: { historyItems } });
    const { instant } = world.clock;
    const record = {
      ...stored,
      json,
      version: stored.version + 1,
      columns: {},
      insertInstant: instant,
      lastUpdateInstant: instant,
    };
    await world.storage.transaction((tx) => tx.rewrite(globalScope, userActionLogsTable, [record]));
    expect(await change("1000")).toEqual(Array.from({ length: 1_000 }, (_, index) => `${index + 1}`));
    const long = "x".repeat(90_000);
    await change(long);
    await change(long);
    expect(await change(long)).toEqual([long, long]);
  });
});
