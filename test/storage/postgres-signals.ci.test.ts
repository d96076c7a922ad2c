import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Storage } from "latchkey/ports";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { tables } from "../contract/storage/tables.js";
import { describeOnServer, postgresUrl, testDatabase } from "../support/postgres.js";
import { startCuttableServer } from "./support/cuttable-server.js";

const { newSchema, newStorage, pool } = testDatabase();
const patience = { timeout: 15_000 };
const opened: Storage[] = [];

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
});

// Other files may be at the same server.
const ownName = `signals-${crypto.randomUUID()}`;
const ownUrl = `${postgresUrl}?application_name=${ownName}`;

type Options = NonNullable<Parameters<typeof newStorage>[0]>;

/** Opens a storage that hears the others, and answers it with what it hears: undefined where something may have been missed. */
async function listen(options: Options): Promise<{ readonly storage: Storage; readonly heard: (string | undefined)[] }> {
  const storage = newStorage({ ...(options.pool === undefined && { connectionString: ownUrl }), ...options });
  opened.push(storage);
  const heard: (string | undefined)[] = [];
  storage.signals?.listen((word) => heard.push(word));
  await storage.open(tables);
  await vi.waitFor(() => expect(heard).toEqual([undefined]), patience);
  heard.length = 0;
  return { storage, heard };
}

/** The sessions that listen, and what to. */
async function listeners(): Promise<readonly { readonly pid: number; readonly channel: string }[]> {
  const { rows } = await pool().query(
    "select pid, substring(query from 'latchkey_[0-9a-f]+') as channel from pg_stat_activity where query like 'listen latchkey_%' and application_name = $1",
    [ownName],
  );
  return rows;
}

test("a storage in the host's own pool takes no connection besides it by default", async () => {
  const storage = newStorage({ pool: pool() });
  opened.push(storage);
  expect(storage.signals).toBeUndefined();
});

describeOnServer("signals", () => {
  test("reach the other processes on the same tables, and not their sender", async () => {
    const schema = newSchema();
    const [one, two] = [await listen({ schema }), await listen({ schema })];
    const elsewhere = await listen({ schema, tablePrefix: "other_" });
    one.storage.signals?.send("forgetKeys");
    one.storage.signals?.send("forgetClients");
    two.storage.signals?.send("forgetAll");
    await vi.waitFor(() => expect([one.heard, two.heard]).toEqual([["forgetAll"], ["forgetKeys", "forgetClients"]]), patience);
    expect(elsewhere.heard).toEqual([]);
  });

  test("are few, however often a word is said", async () => {
    const schema = newSchema();
    const [one, two] = [await listen({ schema }), await listen({ schema })];
    for (let count = 0; count < 1_000; count++) one.storage.signals?.send("often");
    one.storage.signals?.send("last");
    await vi.waitFor(() => expect(two.heard).toContain("last"), patience);
    expect(two.heard.filter((word) => word === "often").length).toBeLessThan(10);
  });

  test("of other senders are ignored: only known signals count", async () => {
    const { heard } = await listen({ schema: newSchema() });
    const [{ channel } = { channel: "" }] = await listeners();
    const sender = crypto.randomUUID();
    const strange = [
      "",
      "forgetKeys",
      `${sender} `,
      `${sender} drop table`,
      `${sender} a b`,
      `x ${sender} a`,
      "\u{1F600}".repeat(1_000),
    ];
    for (const payload of [...strange, `${sender} last`]) await pool().query("select pg_notify($1, $2)", [channel, payload]);
    await vi.waitFor(() => expect(heard).toEqual(["last"]), patience);
  });

  test("are received again after the connection broke, and listeners learn that they may have missed some", async () => {
    const schema = newSchema();
    const way = await startCuttableServer(postgresUrl ?? "");
    const [one, two] = [await listen({ schema }), await listen({ schema, connectionString: way.url })];
    way.close();
    one.storage.signals?.send("missed");
    way.open();
    await vi.waitFor(() => expect(two.heard).toEqual([undefined]), patience);
    one.storage.signals?.send("heard");
    await vi.waitFor(() => expect(two.heard).toEqual([undefined, "heard"]), patience);
  });

  test("come over a connection beside the host's pool where the host wants that", async () => {
    const own = new pg.Pool({ connectionString: postgresUrl, max: 1 });
    const schema = newSchema();
    const [one, two] = [await listen({ schema }), await listen({ schema, pool: own, notify: true })];
    one.storage.signals?.send("word");
    await vi.waitFor(() => expect(two.heard).toEqual(["word"]), patience);
    expect(own.totalCount).toBeLessThanOrEqual(1);
    await opened.pop()?.close();
    await own.end();
  });

  test("are switched off by an option, and end with the storage", async () => {
    const before = (await listeners()).length;
    const quiet = newStorage({ notify: false });
    opened.push(quiet);
    await quiet.open(tables);
    expect([quiet.signals, (await listeners()).length]).toEqual([undefined, before]);
    const { storage } = await listen({});
    expect(await listeners()).toHaveLength(before + 1);
    await storage.close();
    await vi.waitFor(async () => expect(await listeners()).toHaveLength(before), patience);
  });

  test.each([
    ["do not keep a process alive", "", "listening\n"],
    [
      "end before a process that waits for the end of the storage",
      'await storage.close(); console.log("closed");',
      "listening\nclosed\n",
    ],
  ])("%s", async (_, last, expected) => {
    const tablesUrl = new URL("../contract/storage/tables.ts", import.meta.url).href;
    const place = { connectionString: postgresUrl, schema: newSchema() };
    const script = `
      const { postgresStorage } = await import("latchkey/postgres");
      const { tables } = await import(${JSON.stringify(tablesUrl)});
      const storage = postgresStorage(${JSON.stringify(place)});
      const isListening = new Promise((resolve) => storage.signals.listen(resolve));
      await storage.open(tables);
      const waiting = setInterval(() => undefined, 1_000);
      await isListening;
      clearInterval(waiting);
      console.log("listening");
      ${last}`;
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    const sources = new URL("support/resolve-sources.ts", import.meta.url).href;
    const words = ["--import", sources, "--input-type=module", "--eval", script];
    const child = spawn(process.execPath, words, { cwd, stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (text) => {
      said += text;
    });
    const [code] = await once(child, "exit");
    expect([code, said]).toEqual([0, expected]);
  });
});
