// What the sign-in page asks before anybody is signed in, and the link for the first administrator.
import { createIdentityService } from "latchkey";
import { consoleApplicationId } from "latchkey/console";
import { memoryStorage } from "latchkey/memory";
import { expect, onTestFinished } from "vitest";
import { countSearches } from "../support/count-searches.js";
import { requirement } from "../support/requirement.js";
import { testCost } from "../support/world.js";
import { createConsoleClient, password, setUpFirst } from "./support/console-client.js";

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

requirement("console.set-up", "a link that only its process knows outlives refusals, and no administrator", async () => {
  const client = await createConsoleClient();
  const setUp = await client.console.issueSetUp({ isStored: false });
  const create = async (wanted: string): Promise<number> => {
    const body = { token: setUp?.token, email: "ann@example.com", password: wanted };
    return (await client.send("POST", "/session/set-up", { body })).status;
  };
  expect([await create("short"), await create("short")]).toEqual([400, 400]);
  const registration = { applicationId: consoleApplicationId, roles: ["full"] };
  const { user } = await client.identity.registrations.create({ user: { email: "eve@example.com", password }, registration });
  expect(await create(password)).toBe(403);
  await client.identity.users.remove({ userId: String(user?.id), hardDelete: true });
  expect(await create(password)).toBe(403);
});
