import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { expect, onTestFinished, vi } from "vitest";
import { withTemporaryKey } from "../../adapters/cli/users/temporary-key.js";
import { eventually } from "../support/eventually.js";
import { requirement } from "../support/requirement.js";
import { testSecret } from "../support/world.js";

requirement("cli.users-key", "the key of a command lasts ten minutes more while the command runs, and goes with it", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const identity = await createIdentityService({ storage: memoryStorage(), secret: testSecret });
  onTestFinished(() => identity.close());
  const expiry = async (): Promise<number> => {
    const [key] = (await identity.apiKeys.list()).apiKeys;
    return (key?.expirationInstant ?? Number.NaN) - Date.now();
  };
  await withTemporaryKey(identity, async () => {
    expect(await expiry()).toBe(600_000);
    // An hour in which the command runs: the key is renewed again and again.
    for (let minute = 0; minute < 60; minute += 2) {
      vi.advanceTimersByTime(120_000);
      await eventually(async () => expect(await expiry()).toBeGreaterThan(550_000));
    }
  });
  expect((await identity.apiKeys.list()).apiKeys).toEqual([]);
  const failing = withTemporaryKey(identity, () => Promise.reject(new Error("no such file")));
  await expect(failing).rejects.toThrow("no such file");
  expect((await identity.apiKeys.list()).apiKeys).toEqual([]);
});
