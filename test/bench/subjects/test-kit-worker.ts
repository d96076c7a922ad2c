/** Race T1: services for tests from their start to their end, by the kit – its events, factories and clock along with it – against the bare service on the bare storage. */
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { createTestIdentity } from "latchkey/testing";
import type { WorkerJob, WorkerReport } from "../harness/bundled.ts";

const work = {
  async ours(): Promise<void> {
    await using kit = await createTestIdentity();
    if (kit.tenantId === "") throw new Error("there is no tenant");
  },
  async base(): Promise<void> {
    const secret = "a secret of the tests with enough characters";
    const identity = await createIdentityService({
      storage: memoryStorage(),
      apiKey: "key-of-the-test-of-at-least-32-characters",
      secret,
      clock: () => 0,
    });
    await identity.close();
  },
};

const sides = ["ours", "base"] as const;

process.on("message", async ({ seconds }: WorkerJob) => {
  const spent = { ours: 0, base: 0 };
  let rounds = 0;
  for (; spent.ours + spent.base < seconds * 1_000; rounds++)
    for (const side of sides) {
      const start = performance.now();
      await work[side]();
      spent[side] += performance.now() - start;
    }
  const report: WorkerReport = { ours: (rounds * 1_000) / spent.ours, base: (rounds * 1_000) / spent.base };
  process.send?.(report);
});
