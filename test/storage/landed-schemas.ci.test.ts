// Schemas as releases made them, recorded when they reached the main branch: what table definitions say of earlier versions may be wrong.
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { createIdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished } from "vitest";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { testSecret } from "../support/world.js";
import { temporaryFiles } from "./support/temporary-files.js";

/** A schema, and when the main branch had it first. Versions 6 and 8 changed while they were the newest. */
interface LandedSchema {
  readonly version: number;
  readonly landed: string;
}

/** A statement, and the places of the schemas that it belongs to. */
interface Statement {
  readonly in: readonly number[];
  readonly sql: string;
}

const newFile = temporaryFiles();
const lines: readonly (LandedSchema | Statement)[] = readFileSync(
  new URL("schemas/landed-on-sqlite.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const schemas = lines.filter((line) => "landed" in line);
const statements = lines.filter((line) => "sql" in line);

function makeFile(place: number, { version }: LandedSchema): string {
  const filename = newFile();
  const database = new Database(filename, { timeout: 60_000 });
  for (const statement of statements) if (statement.in.includes(place)) database.exec(statement.sql);
  database.prepare("insert into latchkey_schema_versions (version) values (?)").run(version);
  database.close();
  return filename;
}

/** The columns of all tables, and the names of all indexes. */
function partsOf(filename: string): readonly unknown[] {
  const database = new Database(filename, { readonly: true });
  const text =
    "select found.name, own.name, own.type, own.pk from sqlite_master as found left join pragma_table_info(found.name) as own where found.name not like 'sqlite_%' order by 1, 2";
  const parts = database.prepare(text).raw().all();
  database.close();
  return parts;
}

/** Starts the service, writes what causes an event, and has it delivered. */
async function useService(filename: string): Promise<void> {
  const sink = await startSink();
  const identity = await createIdentityService({
    storage: sqliteStorage({ filename }),
    secret: testSecret,
    allowPrivateNetwork: true,
    auditChanges: true,
  });
  try {
    const { tenant } = await identity.tenants.create({ tenant: { name: "Acme" } });
    const within = { tenantId: tenant.id };
    const webhook = {
      url: sink.url,
      global: true,
      connectTimeout: 20_000,
      readTimeout: 20_000,
      eventsEnabled: { "user.create": true },
    };
    await identity.webhooks.create({ webhook });
    const { user } = await identity.users.create({ user: { email: "ada@acme.example", mobilePhone: "+493012345" } }, within);
    const { group } = await identity.groups.create({ group: { name: "Editors" } }, within);
    await identity.groupMembers.add({ members: { [String(group.id)]: [{ userId: user.id }] } }, within);
    await identity.settle();
    expect(sink.received).toHaveLength(1);
    expect((await identity.webhookEventLogs.search({ search: {} })).total).toBeGreaterThan(0);
    expect((await identity.audit.verify()).broken).toBeUndefined();
  } finally {
    await identity.close();
  }
}

let fresh: Promise<readonly unknown[]> | undefined;

/** The parts of a new file, made once. */
function freshParts(): Promise<readonly unknown[]> {
  fresh ??= (async () => {
    const filename = newFile();
    await useService(filename);
    return partsOf(filename);
  })();
  return fresh;
}

for (const [place, schema] of schemas.entries())
  requirement(
    "schema.upgrade",
    `of version ${schema.version} is brought up to date as the main branch had it on ${schema.landed}`,
    async () => {
      const filename = makeFile(place, schema);
      await useService(filename);
      // Tables that are no longer used stay for an earlier release.
      expect(partsOf(filename)).toEqual(expect.arrayContaining([...(await freshParts())]));
    },
  );

requirement("schema.upgrade", "refuses a table of another kind by the name of one of ours", async () => {
  const filename = newFile();
  const database = new Database(filename, { timeout: 60_000 });
  onTestFinished(() => void database.close());
  database.exec("create table latchkey_connectors (x)");
  await expect(useService(filename)).rejects.toThrow("latchkey_connectors");
});
