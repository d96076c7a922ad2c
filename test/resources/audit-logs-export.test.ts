import { describe, expect } from "vitest";
import { expectRefusal } from "../support/answer.js";
import { readText } from "../support/exports.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, callerOfTenant, forEachStorage, makeTenant, type World } from "../support/world.js";

const path = "/api/system/audit-log/export";

async function exported({ identity }: World, key: string, body: object = {}): Promise<readonly Record<string, unknown>[]> {
  const headers = { authorization: key, "content-type": "application/json" };
  const answer = await identity.inject({ method: "POST", url: path, headers, body: JSON.stringify(body) });
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
  const text = await readText(answer.stream ?? expect.fail());
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

forEachStorage((start) => {
  describe("an export of the audit log", () => {
    requirement(
      "audit.export",
      "has the entries as the API shows them, the oldest first, without those written later",
      async () => {
        const world = await start();
        const { clock, identity } = world;
        const instants: number[] = [];
        for (let number = 0; number < 1_100; number++) {
          if (number % 100 === 0) instants.push(clock.advance(1_000));
          await identity.auditLogs.create({
            auditLog: { message: `Note ${number}`, newValue: { text: "n".repeat(number % 7) } },
          });
        }
        const lines = await exported(world, bootstrapKey);
        expect(lines.map(({ id }) => id)).toEqual(Array.from({ length: 1_100 }, (_one, index) => index + 1));
        expect(lines[3]).toEqual((await identity.auditLogs.retrieve({ auditLogId: 4 })).auditLog);
        const parts = await identity.auditLogs.export({ search: { start: instants[10], message: "Note 10" } });
        await identity.auditLogs.create({ auditLog: { message: "Note 10, later" } });
        const some = (await readText(parts)).trimEnd().split("\n");
        expect(some).toHaveLength(100);
        expect(JSON.parse(some[0] ?? "").message).toBe("Note 1000");
      },
    );

    requirement("audit.export", "of a key of a tenant has the entries of that tenant alone", async () => {
      const world = await start();
      const [one, other] = [await makeTenant(world, "One"), await makeTenant(world, "Other")];
      for (const tenantId of [one, other, undefined])
        await world.identity.auditLogs.create({ auditLog: { message: "Note", ...(tenantId !== undefined && { tenantId }) } });
      await callerOfTenant(world, one);
      for (const search of [{}, { tenantId: other }])
        expect((await exported(world, `key-of-${one}`, { search })).map(({ tenantId }) => tenantId)).toEqual([one]);
      expect(await exported(world, bootstrapKey, { search: { tenantId: other } })).toHaveLength(1);
      expect(await exported(world, bootstrapKey)).toHaveLength(3);
    });

    requirement("audit.export", "refuses wrong criteria, and a call inside of a transaction of the host", async () => {
      const { caller, identity } = await start();
      expectRefusal(await caller.post(path, { search: { start: "soon" } }), 400, "[couldNotConvert]start");
      expectRefusal(await caller.post(path, { search: 1 }), 400, "[invalidJSON]search");
      await expect(identity.transaction((tx) => tx.auditLogs.export())).rejects.toThrow("outside of identity.transaction");
    });
  });
});
