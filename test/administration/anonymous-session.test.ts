// What the sign-in page asks before anybody is signed in.
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { expect, onTestFinished } from "vitest";
import { countSearches } from "../support/count-searches.js";
import { requirement } from "../support/requirement.js";
import { testCost } from "../support/world.js";
import { createConsoleClient, setUpFirst } from "./support/console-client.js";

const start = Date.UTC(2030, 0, 1);

requirement(
  "console.set-up",
  "anybody can ask whether there is an administrator: it costs one search in a second, then one in a minute",
  async () => {
    const storage = memoryStorage();
    let now = start;
    const searches = countSearches(storage, "users");
    const identity = await createIdentityService({
      storage,
      secret: "s".repeat(32),
      delivery: false,
      clock: () => now,
      passwordHashing: testCost,
    });
    onTestFinished(() => identity.close());
    const client = await createConsoleClient({}, identity);
    const ask = async (isNeeded: boolean): Promise<number> => {
      const before = searches();
      for (let count = 0; count < 50; count++) {
        const answer = await client.send("GET", "/session", { cookie: "" });
        expect("setUp" in JSON.parse(answer.body)).toBe(isNeeded);
      }
      return searches() - before;
    };
    expect(await ask(true)).toBe(1);
    now += 1_000;
    expect(await ask(true)).toBe(1);
    expect((await setUpFirst(client)).status).toBe(200);
    expect(await ask(false)).toBe(1);
    now += 59_000;
    expect(await ask(false)).toBe(0);
    now += 1_000;
    expect(await ask(false)).toBe(1);
  },
);
