// `latchkey indexes`: what searches of large tables lack, listed, created, and found by services.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { makeMigrated, runnerIn } from "./support.js";

let directory: string;

beforeAll(async () => {
  directory = await makeMigrated();
  const database = new Database(join(directory, "latchkey.db"));
  database.exec(`insert into latchkey_groups (id, tenant_id, version, insert_instant, last_update_instant, json, name_folded)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 20000)
    select printf('%08x-0000-4000-8000-000000000000', n), (select id from latchkey_tenants), 1, n, n, '{}', 'group ' || n from numbers`);
  database.close();
});

afterAll(() => rm(directory, { recursive: true }));

const run = runnerIn(() => directory);

requirement("cli.indexes", "indexes lists what large tables lack, creates it, and then finds nothing more", async () => {
  const doctor = await run(["doctor", "--json"]);
  const checks: readonly { check: string }[] = JSON.parse(doctor.printed).findings;
  expect(checks).toContainEqual({
    check: "indexes",
    result: "warn",
    detail: expect.stringMatching(/^searches lack \d+ indexes of latchkey_groups$/),
    hint: expect.stringContaining("Run latchkey indexes."),
  });
  const dry = JSON.parse((await run(["indexes", "--dry-run", "--json"])).printed);
  const names: readonly string[] = dry.indexes.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["ix_latchkey_groups_name_folded", "sc_latchkey_groups", "latchkey_groups_substrings"]);
  expect(JSON.parse((await run(["indexes", "--json"])).printed)).toEqual({ ...dry, isDry: false });
  expect((await run(["indexes"])).printed).toBe("No large table lacks an index.\n");
  expect((await run(["indexes", "groups", "orderBy=insertInstant ASC"])).printed).toContain(
    "create  sx_latchkey_groups_insert_instant_id  on latchkey_groups\n",
  );
  const after = (await run(["doctor"])).printed;
  expect(after).toContain("ok    indexes: ");
  // The tables that the command has created are not those of an earlier release.
  expect(after).not.toContain("layout: ");
});

requirement("cli.indexes", "indexes refuses an unknown family and wrong criteria", async () => {
  expect(await run(["indexes", "people"])).toMatchObject({ code: 1, said: expect.stringContaining("people is no family") });
  expect(await run(["indexes", "groups", "name"])).toMatchObject({ code: 1, said: expect.stringContaining("no criterion") });
});
