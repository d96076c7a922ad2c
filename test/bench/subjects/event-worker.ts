/** Goals 21 to 23, our side: events that are published, kept, signed, sent and logged by the built package on SQLite. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { createIdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";
import type { EventGoal } from "../goals.ts";
import { type EventJob, inFlight, measureEvents, secret, user } from "../harness/event-fixture.ts";
import { apiKey } from "../harness/fixtures.ts";
import { settings } from "../harness/subject.ts";

const { BENCH_SINK: url = "", BENCH_SYNCHRONOUS: synchronous = "FULL" } = process.env;

const algorithm = process.env.BENCH_ALGORITHM as EventGoal["race"]["algorithm"];

// There is no option for less than FULL, so that the one statement that asks for it is changed.
const { pragma } = Database.prototype;
Database.prototype.pragma = function (source, options) {
  return pragma.call(this, source.replace("synchronous = FULL", `synchronous = ${synchronous}`), options);
};

const identity = await createIdentityService({
  storage: sqliteStorage({ filename: join(settings.directory, "latchkey.db") }),
  secret: "a-benchmark-secret-of-at-least-32-characters",
  apiKey,
  allowPrivateNetwork: true,
  delivery: { concurrency: inFlight },
});
const { key } =
  algorithm === "HS256"
    ? await identity.keys.import({ key: { name: "bench", algorithm, secret } })
    : await identity.keys.generate({ key: { name: "bench", algorithm } });
await identity.webhooks.create({
  webhook: {
    connectTimeout: 5_000,
    readTimeout: 5_000,
    url,
    global: true,
    eventsEnabled: { "user.password.breach": true },
    signatureConfiguration: { enabled: true, signingKeyId: key.id },
  },
});
await identity.start();
const make = (): Promise<unknown> => identity.events.publish({ type: "user.password.breach", user });

process.on("message", async (job: EventJob) => process.send?.(await measureEvents(url, job, make)));
