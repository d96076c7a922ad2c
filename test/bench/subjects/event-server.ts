/**
 * Races E1 and E2: writes of a server that delivers, where nobody wants its events (`none`), one webhook wants each of them (`webhook`), or
 * 100,000 of others wait for a receiver that refuses them (`waiting`).
 */
import { join } from "node:path";
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

const identity = await createIdentityService({
  storage: sqliteStorage({ filename: join(settings.directory, "latchkey.db") }),
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

/** Lets all events be refused once. */
const fillBacklog = async (): Promise<void> => {
  await addWebhook((await startSink(500)).url, "user.password.breach");
  await identity.transaction(async (tx) => {
    for (let count = 0; count < waiting; count++) await tx.events.publish({ type: "user.password.breach", user });
  });
  const refused = { search: { eventResult: "Running", orderBy: "lastAttemptInstant ASC", numberOfResults: 1 } } as const;
  for (let first: object | undefined; first === undefined || !("lastAttemptInstant" in first); ) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { total, webhookEventLogs } = await identity.webhookEventLogs.search(refused);
    first = total === waiting ? webhookEventLogs[0] : undefined;
  }
};

await identity.start();
if (what === "webhook") await addWebhook((await startSink()).url, "group.create");
if (what === "waiting") await fillBacklog();
const { group } = await identity.groups.create({ group: { name: "first" } });
const app = fastify();
app.register(identityPlugin(identity));
const address = await app.listen({ port: 0, host: "127.0.0.1" });
announceReady({ port: Number(new URL(address).port), ids: [group.id], credential: apiKey });
