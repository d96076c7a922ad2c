/**
 * Races E1 and E2: writes of a server that delivers, where nobody wants its events (`none`), one webhook wants each of them (`webhook`), or
 * 100,000 of others wait for a receiver that refuses them (`waiting`).
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import fastify from "fastify";
import { createIdentityService } from "latchkey";
import { identityPlugin } from "latchkey/fastify";
import { sqliteStorage } from "latchkey/sqlite";
import { secret, user } from "../harness/event-fixture.ts";
import { apiKey } from "../harness/fixtures.ts";
import { startSink } from "../harness/start-sink.ts";
import { announceReady, settings } from "../harness/subject.ts";

const what = process.env.BENCH_EVENTS ?? "none";
const waiting = 100_000;
const hour = 3_600_000;

const filename = join(settings.directory, "latchkey.db");
const identity = await createIdentityService({
  storage: sqliteStorage({ filename }),
  secret: "a-benchmark-secret-of-at-least-32-characters",
  apiKey,
  allowPrivateNetwork: true,
  delivery: { retryDelaysMilliseconds: [24 * hour] },
});

const addWebhook = async (url: string, type: "group.create" | "user.password.breach"): Promise<void> => {
  const { key } = await identity.keys.import({ key: { name: "bench", algorithm: "HS256", secret } });
  const webhook = {
    connectTimeout: 5_000,
    readTimeout: 5_000,
    url,
    global: true,
    eventsEnabled: { [type]: true },
    signatureConfiguration: { enabled: true, signingKeyId: key.id },
  };
  await identity.webhooks.create({ webhook });
};

/** Lets one event be refused, and makes the others like it: to send all of them would take minutes. */
const fillBacklog = async (): Promise<void> => {
  await addWebhook((await startSink(500)).url, "user.password.breach");
  await identity.events.publish({ type: "user.password.breach", user });
  const database = new Database(filename, { timeout: 5_000 });
  const isRefused = database.prepare("select 1 from latchkey_webhook_event_logs where last_attempt_instant is not null");
  while (isRefused.get() === undefined) await new Promise((resolve) => setTimeout(resolve, 100));
  const columns = database.prepare("select name from pragma_table_info('latchkey_webhook_event_logs')").pluck().all();
  const copied: Readonly<Record<string, string>> = {
    id: "printf('00000000-0000-7000-8000-%012x', number)",
    sequence: "sequence + number",
  };
  database.exec(`
    with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${waiting - 1})
    insert into latchkey_webhook_event_logs (${columns.join()})
    select ${columns.map((column) => copied[String(column)] ?? column).join()} from latchkey_webhook_event_logs, numbers`);
  database.close();
};

await identity.start();
if (what === "webhook") await addWebhook((await startSink()).url, "group.create");
if (what === "waiting") await fillBacklog();
const { group } = await identity.groups.create({ group: { name: "first" } });
const app = fastify();
app.register(identityPlugin(identity));
const address = await app.listen({ port: 0, host: "127.0.0.1" });
announceReady({ port: Number(new URL(address).port), ids: [group.id], credential: apiKey });
