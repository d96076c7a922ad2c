import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { settings } from "../harness/subject.ts";
import type { Outbox } from "./outbox.ts";

const batch = 64;
const leaseMilliseconds = 30_000;

const tables = `
  create table events (added integer primary key autoincrement, id text not null, body text not null, leasedUntil integer);
  create table logs (
    id text primary key, tenantId text, insertInstant integer not null, json text not null, body text not null,
    dueInstant integer, sequence integer not null
  );
  create index logs_due on logs (dueInstant);
  create index logs_instant on logs (insertInstant);
  create index logs_sequence on logs (tenantId, sequence);
  create table attempts (id text primary key, logId text not null references logs (id), json text not null) without rowid;
  create index attempts_log on attempts (logId)`;

interface LeasedEvent {
  readonly added: number;
  readonly id: string;
  readonly body: string;
}

/** Ids in the order of time, as any log wants them. */
const newId = (): string => {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};

/**
 * An outbox by hand that keeps what the API shows: each event is leased, and moves into a log with its attempt once it has left
 * (docs/reference/events.md#event-log). All writes of a turn of the event loop share a transaction.
 */
export const openLoggedOutbox = (synchronous: string): Outbox => {
  const database = new Database(join(settings.directory, "outbox.db"));
  database.pragma("journal_mode = WAL");
  database.pragma(`synchronous = ${synchronous}`);
  database.pragma("wal_autocheckpoint = 4000");
  database.exec(tables);
  const insertEvent = database.prepare("insert into events (id, body) values (?, ?)");
  const lease = database.prepare<[number, number], LeasedEvent>(
    `update events set leasedUntil = ? where added in
      (select added from events where leasedUntil is null or leasedUntil < ? order by added limit ${batch}) returning added, id, body`,
  );
  const remove = database.prepare("delete from events where added = ?");
  const insertLog = database.prepare(
    "insert into logs (id, tenantId, insertInstant, json, body, dueInstant, sequence) values (?, ?, ?, ?, ?, null, ?)",
  );
  const insertAttempt = database.prepare("insert into attempts (id, logId, json) values (?, ?, ?)");
  const leased = new Map<string, LeasedEvent>();
  let waiting: { readonly write: () => void; readonly resolve: () => void }[] = [];
  const flush = (): void => {
    const now = waiting;
    waiting = [];
    database.transaction(() => now.forEach(({ write }) => void write()))();
    for (const { resolve } of now) resolve();
  };
  const run = (write: () => void): Promise<void> =>
    new Promise((resolve) => {
      if (waiting.push({ write, resolve }) === 1) setImmediate(flush);
    });
  const keep = (id: string): void => {
    const event = leased.get(id);
    if (event === undefined) throw new Error(`${id} is not leased`);
    leased.delete(id);
    const instant = Date.now();
    const log = { data: {}, eventResult: "Succeeded", id, insertInstant: instant, sequence: event.added, successfulAttempts: 1 };
    const attempt = {
      attemptResult: "Success",
      endInstant: instant,
      startInstant: instant,
      webhookCallResponse: { statusCode: 200 },
    };
    remove.run(event.added);
    insertLog.run(id, null, instant, JSON.stringify(log), event.body, event.added);
    insertAttempt.run(newId(), id, JSON.stringify(attempt));
  };
  return {
    add: (id, body) => run(() => void insertEvent.run(id, body)),
    claim: () => {
      if (leased.size > 2 * batch) return [];
      const now = Date.now();
      const events = lease.all(now + leaseMilliseconds, now);
      for (const event of events) leased.set(event.id, event);
      return events;
    },
    mark: (id) => run(() => keep(id)),
  };
};
