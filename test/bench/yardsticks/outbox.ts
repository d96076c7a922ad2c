import { join } from "node:path";
import Database from "better-sqlite3";
import { settings } from "../harness/subject.ts";

/** An outbox by hand: a row for the event, and one for its delivery. */
export interface Outbox {
  /** Resolves once the event is kept. */
  add(id: string, body: string): Promise<void>;
  /** The oldest events that nobody has claimed yet. */
  claim(): readonly { readonly id: string; readonly body: string }[];
  /** Resolves once it is kept that the event was delivered. */
  mark(id: string): Promise<void>;
}

const batch = 64;

/** Opens an outbox whose writes have a transaction each, or share one with those of the same turn. */
export const openOutbox = (synchronous: string, isBatched: boolean): Outbox => {
  const database = new Database(join(settings.directory, "outbox.db"));
  database.pragma("journal_mode = WAL");
  database.pragma(`synchronous = ${synchronous}`);
  database.exec(`
    create table events (id text primary key, body text not null) without rowid;
    create table deliveries (seq integer primary key, id text not null, isDone integer not null)`);
  database.exec("create unique index deliveries_id on deliveries (id)");
  const insertEvent = database.prepare("insert into events (id, body) values (?, ?)");
  const insertDelivery = database.prepare("insert into deliveries (id, isDone) values (?, 0)");
  const done = database.prepare("update deliveries set isDone = 1 where id = ?");
  const select = database.prepare<[number], { seq: number; id: string; body: string }>(
    `select seq, id, body from deliveries join events using (id) where seq > ? order by seq limit ${batch}`,
  );
  let waiting: { readonly write: () => void; readonly resolve: () => void }[] = [];
  const flush = (): void => {
    const now = waiting;
    waiting = [];
    database.transaction(() => now.forEach(({ write }) => void write()))();
    for (const { resolve } of now) resolve();
  };
  const run = (write: () => void): Promise<void> => {
    if (!isBatched) return Promise.resolve(void database.transaction(write)());
    return new Promise((resolve) => {
      if (waiting.push({ write, resolve }) === 1) setImmediate(flush);
    });
  };
  let claimed = 0;
  return {
    add: (id, body) =>
      run(() => {
        insertEvent.run(id, body);
        insertDelivery.run(id);
      }),
    claim: () => {
      const rows = select.all(claimed);
      claimed = rows.at(-1)?.seq ?? claimed;
      return rows;
    },
    mark: (id) => run(() => void done.run(id)),
  };
};
