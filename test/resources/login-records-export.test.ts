import { unzipSync } from "fflate";
import { createClient } from "latchkey/client";
import { fetchHandler } from "latchkey/fetch";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { saveLogins } from "../../src/audit/login-records/rules.js";
import { type Answer, expectRefusal } from "../support/answer.js";
import { makeApplication, makeUser } from "../support/families.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, callerOfTenant, forEachStorage, makeTenant, startWorld, uuid, type World } from "../support/world.js";

const path = "/api/system/login-record/export";

function read(bytes: Uint8Array | undefined): readonly string[] {
  const files = unzipSync(bytes ?? new Uint8Array());
  expect(Object.keys(files)).toEqual(["login-records.csv"]);
  return Buffer.from(files["login-records.csv"] ?? [])
    .toString()
    .split("\r\n");
}

async function exportLogins({ identity }: World, body: object = {}): Promise<readonly string[]> {
  return read(await identity.loginRecords.export(body));
}

interface Login {
  readonly instant: number;
  readonly loginId?: string;
  readonly applicationId?: string;
}

async function save(world: World, userId: string, logins: readonly Login[], tenantId = world.defaultTenantId): Promise<void> {
  let number = 10_000;
  const records = logins.map((login) => ({
    applicationId: undefined,
    ipAddress: undefined,
    loginId: undefined,
    ...login,
    tenantId,
    userId,
  }));
  await world.storage.transaction((tx) => saveLogins(tx, records, () => uuid(number++)));
}

const header = '"userId","time","applicationId","applicationName","loginId","ipAddress"';
const noon = Date.UTC(2026, 2, 5, 12, 4, 9, 30);

forEachStorage(
  (start) => {
    requirement(
      "login.export",
      "holds the logins that are asked for, the newest first, and nothing that a table would run",
      async () => {
        const world = await start();
        const userId = await makeUser(world, world.defaultTenantId, "ann@example.com");
        const applicationId = await makeApplication(world, world.defaultTenantId, '=cmd|" /C calc"!A0');
        const ids = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", 'plain, "quoted"'];
        await save(
          world,
          userId,
          ids.map((loginId, index) => ({ instant: noon + index, loginId, ...(index === 0 && { applicationId }) })),
        );
        const lines = await exportLogins(world, { dateTimeSecondsFormat: "S" });
        const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        expect(lines).toEqual([
          header,
          `"${userId}","0","","",${cell('plain, "quoted"')},""`,
          ...["\t=1", "@SUM(A1)", "-1", "+1"].map((id) => `"${userId}","0","","",${cell(`'${id}`)},""`),
          `"${userId}","0","${applicationId}",${cell(`'=cmd|" /C calc"!A0`)},"'=1+1",""`,
          "",
        ]);
        expect(await exportLogins(world, { criteria: { start: noon + 5 } })).toHaveLength(3);
        expect(await exportLogins(world, { criteria: { applicationId } })).toHaveLength(3);
        expect(await exportLogins(world, { criteria: { userId: uuid(1) } })).toEqual([header, ""]);
      },
    );

    requirement("login.export", "writes instants by pattern and zone, and refuses those that it does not know", async () => {
      const world = await start();
      const userId = await makeUser(world, world.defaultTenantId, "ann@example.com");
      await save(world, userId, [{ instant: noon }]);
      const timeOf = async (format: object): Promise<string | undefined> =>
        /","(.*?)","/.exec((await exportLogins(world, format))[1] ?? "")?.[1];
      expect(await timeOf({})).toBe("3/5/2026 12:04:09 PM UTC");
      const iso = "yyyy-MM-dd'T'HH:mm:ss.SSS 'o''clock'";
      expect(await timeOf({ dateTimeSecondsFormat: iso, zoneId: "Asia/Tokyo" })).toBe("2026-03-05T21:04:09.030 o'clock");
      expect(await timeOf({ dateTimeSecondsFormat: "yy h a" })).toBe("26 12 PM");
      for (const dateTimeSecondsFormat of ["Q", "MMM", "'open", "VV"])
        expectRefusal(await world.caller.post(path, { dateTimeSecondsFormat }), 400, "[invalid]dateTimeSecondsFormat");
      expectRefusal(await world.caller.post(path, { zoneId: "Mars/Base" }), 400, "[invalid]zoneId");
      expectRefusal(await world.caller.post(path, { criteria: { userId: "x" } }), 400, "[couldNotConvert]criteria.userId");
    });

    requirement("login.export", "reads page by page, and stays in the tenant of the caller", async () => {
      const world = await start();
      const userId = await makeUser(world, world.defaultTenantId, "ann@example.com");
      await save(
        world,
        userId,
        Array.from({ length: 4_100 }, (_, index) => ({ instant: noon + index * 1_000 })),
      );
      const lines = await exportLogins(world, { dateTimeSecondsFormat: "yyyy-MM-dd HH:mm:ss" });
      const times = lines.slice(1, -1).map((line) => line.split(",")[1] ?? "");
      expect(times).toHaveLength(4_100);
      expect(times).toEqual([...new Set(times)].toSorted().toReversed());
      const bound = await callerOfTenant(world, await makeTenant(world, "Other"));
      const answer: Answer = await bound.post(path, {});
      expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/zip"]);
      const ofOther = await world.identity.handle({
        ...{ method: "POST", path, query: "", headers: { authorization: `key-of-${(await lastTenant(world)).id}` } },
      });
      expect(read(ofOther?.bytes)).toEqual([header, ""]);
    });

    requirement("login.export-transports", "reaches callers of the client, in process and over HTTP", async () => {
      const world = await start();
      const userId = await makeUser(world, world.defaultTenantId, "ann@example.com");
      await save(world, userId, [{ instant: noon }]);
      const handler = fetchHandler(world.identity);
      const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> =>
        (await handler(new Request(url, init))) ?? Response.error();
      const inject = world.identity.inject.bind(world.identity);
      for (const transport of [{ inject }, { baseUrl: "http://localhost", fetch }]) {
        const result = await createClient({ ...transport, apiKey: bootstrapKey }).loginRecords.export({});
        expect(result.ok && read(result.value)).toHaveLength(3);
      }
    });
  },
  isLong ? embeddedPostgres() : [],
);

if (isLong)
  requirement("login.export-limit", "more logins than a file holds are refused", async () => {
    const world = await startWorld(memoryStorage());
    const userId = await makeUser(world, world.defaultTenantId, "ann@example.com");
    const logins = Array.from({ length: 100_001 }, (_, index) => ({ instant: noon + index }));
    await save(world, userId, logins);
    expectRefusal(await world.caller.post(path, {}), 400, "[tooLarge]criteria");
    const criteria = { start: noon + 99_999 };
    expect(await exportLogins(world, { criteria })).toHaveLength(4);
  });

async function lastTenant({ identity }: World): Promise<{ readonly id: string }> {
  const { tenants } = await identity.tenants.list();
  return tenants.find(({ name }) => name === "Other") ?? { id: "" };
}
