import { StorageUnavailable } from "latchkey/ports";
import { expect, onTestFinished, vi } from "vitest";
import { expectEmpty } from "../support/answer.js";
import { applicationId, importUsers } from "../support/bulk-users.js";
import { consentId, exportLines, groupId, readText, someUsers, startShop, tenantId } from "../support/exports.js";
import { codesOf, runJob } from "../support/import-jobs.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, uuid, type World } from "../support/world.js";

/** An export of which the first part was read. */
async function beginExport({ identity }: World): Promise<AsyncIterator<Uint8Array>> {
  const parts = (await identity.bulkUsers.export())[Symbol.asyncIterator]();
  expect((await parts.next()).done).not.toBe(true);
  return parts;
}

forEachStorage((start) => {
  requirement(
    "export.same",
    "an import job takes the lines of an export; an id that another record has fails its row alone",
    async () => {
      const [from, to] = [await startShop(start), await startShop(start)];
      const users = someUsers(3, (index) => ({
        consents: [{ consentId, id: uuid(100 + index) }],
        memberships: [{ groupId, id: uuid(200 + index) }],
        registrations: [{ applicationId, id: uuid(300 + index) }],
      }));
      expectEmpty(await importUsers(from, users), 200);
      const lines = await exportLines(from, { includePasswordHashes: true });
      const { job } = await runJob(to, lines);
      expect(job).toMatchObject({ state: "Completed", created: 3, failed: 0 });
      expect(await exportLines(to, { includePasswordHashes: true })).toEqual(lines);
      const taken = ["consents", "memberships", "registrations"].map((member, index) => ({
        email: `taken${index}@example.com`,
        tenantId,
        [member]: (users[0] as Record<string, unknown>)[member],
      }));
      const { results } = await runJob(to, [{ email: "free@example.com", tenantId }, ...taken]);
      expect(results.map(({ outcome }) => outcome)).toEqual(["created", "failed", "failed", "failed"]);
      expect(codesOf(results[1] ?? expect.fail())).toEqual(["[duplicate]user"]);
    },
  );

  requirement("export.consistent", "what others write meanwhile is not in the export, and waits for nobody", async () => {
    const world = await startShop(start);
    const { identity } = world;
    expectEmpty(
      await importUsers(
        world,
        someUsers(1_100, () => ({ registrations: [{ applicationId }] })),
      ),
      200,
    );
    const before = await exportLines(world);
    const parts = await identity.bulkUsers.export();
    await identity.users.remove({ userId: uuid(1_000), hardDelete: true });
    await identity.users.remove({ userId: uuid(2_099), hardDelete: true });
    await identity.registrations.remove({ userId: uuid(2_050), applicationId });
    await identity.users.update({ userId: uuid(2_060), user: { email: "changed@example.com" } });
    await identity.users.create({ userId: uuid(900), user: { email: "new@example.com", tenantId } });
    await identity.users.create({ userId: uuid(9_000), user: { email: "newer@example.com", tenantId } });
    const text = await readText(parts);
    expect(text.trimEnd().split("\n")).toEqual(before);
    expect(await exportLines(world)).toHaveLength(1_100);
  });

  requirement("export.ends", "two exports run at once; the place of one that its reader leaves is free", async () => {
    const world = await startShop(start);
    expectEmpty(await importUsers(world, someUsers(3)), 200);
    const open = [await beginExport(world), await beginExport(world)];
    const third = await world.identity.inject({
      method: "POST",
      url: "/api/user/export",
      headers: { Authorization: bootstrapKey },
    });
    expect([third.status, third.headers["retry-after"]]).toEqual([503, "10"]);
    await open[0]?.return?.();
    expect(await exportLines(world)).toHaveLength(3);
    await open[1]?.return?.();
  });

  requirement("export.ends", "an export ends after a minute without reading, and with the service", async () => {
    const world = await startShop(start);
    expectEmpty(await importUsers(world, someUsers(1_100)), 200);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const slow = await beginExport(world);
    await vi.advanceTimersByTimeAsync(59_000);
    expect((await slow.next()).done).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(slow.next()).rejects.toThrow(StorageUnavailable);
    vi.useRealTimers();
    const open = await beginExport(world);
    await world.identity.close();
    await expect(open.next()).rejects.toThrow(StorageUnavailable);
  });
});
