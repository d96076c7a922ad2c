import { flushCompileCache } from "node:module";
import type { Storage } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";
import {
  books,
  bookTags,
  idOf,
  north,
  tables,
  tenants,
  tenantsToStart,
  toBook,
  toRecord,
} from "../../contract/storage/tables.js";
import type { Command } from "./child.js";

// Another process that uses a database: it does what its parent sends, and answers when it is done.

const commands: { readonly [K in Command["kind"]]: (command: Extract<Command, { kind: K }>) => Promise<void> } = {
  open: async ({ place, label }) => {
    const storage = await open(place);
    await storage.transaction((tx) => tx.insert(north, books, [toBook(label)]));
    await storage.close();
  },
  increment: async ({ place, label, times }) => {
    const storage = await open(place);
    for (let time = 0; time < times; time++) await increment(storage, label);
    await storage.close();
  },
  write: async ({ place, prefix }) => {
    const storage = await open(place);
    for (let writer = 0; writer < 8; writer++) void writeForever(storage, `${prefix}${writer}`);
  },
};

function toStorage(place: string): Storage {
  const [url = "", schema = ""] = place.split("#");
  return url.startsWith("postgres") ? postgresStorage({ connectionString: url, schema }) : sqliteStorage({ filename: place });
}

/** Opens the database and makes its tenants, unless another process has. */
async function open(place: string): Promise<Storage> {
  const storage = toStorage(place);
  await storage.open(tables);
  await storage.transaction(async (tx) => {
    if ((await tx.retrieve(north, tenants, idOf("north"))) === undefined)
      await tx.insert({ kind: "global" }, tenants, tenantsToStart);
  });
  return storage;
}

function increment(storage: Storage, label: string): Promise<void> {
  return storage.transaction(async (tx) => {
    const { version } = (await tx.retrieve(north, books, idOf(label))) ?? { version: 0 };
    await tx.update(north, books, toBook(label, { pages: version }, { version: version + 1 }));
  });
}

// Each transaction writes two records, so that half a transaction would show.
async function writeForever(storage: Storage, prefix: string): Promise<void> {
  for (let count = 100; ; count++) {
    const label = `${prefix}${count}`;
    await storage.transaction(async (tx) => {
      await tx.insert(north, books, [toBook(label)]);
      await tx.insert(north, bookTags, [toRecord(label, { bookId: idOf(label), tag: "x" })]);
    });
    process.send?.({ kind: "written", label });
  }
}

async function perform<C extends Command>(command: C): Promise<void> {
  const run = commands[command.kind] as (command: C) => Promise<void>;
  await run(command).then(
    () => process.send?.({ kind: "done" }),
    (error: unknown) => process.send?.({ kind: "failed", message: String(error) }),
  );
}

// Its parent is gone.
process.on("disconnect", () => process.exit());
process.on("message", (command: Command) => void perform(command));
process.send?.({ kind: "ready" });
// It is killed in the end.
flushCompileCache();
