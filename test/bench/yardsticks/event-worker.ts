/**
 * Goals 21 to 23, by hand: a webhook that is signed and sent with undici. `direct`: without an outbox. `each`: with one that is written in
 * a transaction per event and another per delivery. `batched`: with one whose writes of a turn share a transaction, signed with jose.
 * `logged`: with one that keeps the event log and its attempts as well, signed as ours.
 */
import { createHmac, randomUUID } from "node:crypto";
import { Pool } from "undici";
import { type EventJob, inFlight, measureEvents, secret, user } from "../harness/event-fixture.ts";
import { createSigner } from "./event-signer.ts";
import { openLoggedOutbox } from "./logged-outbox.ts";
import { type Outbox, openOutbox } from "./outbox.ts";

export type EventBase = "direct" | "each" | "batched" | "logged";

const { BENCH_ALGORITHM: algorithm = "HS256", BENCH_SINK: url = "", BENCH_SYNCHRONOUS: synchronous = "FULL" } = process.env;
const base = process.env.BENCH_BASE as EventBase;
const sign = base === "batched" ? await createSigner(algorithm) : undefined;
const pool = new Pool(new URL(url).origin, { connections: inFlight });

const makeBody = (id: string): string => {
  const actor = { type: "host" };
  const tenantId = "30663132-6464-6665-3032-326466613934";
  const event = { actor, createInstant: Date.now(), id, linkedObjectId: user.id, tenantId, type: "user.password.breach", user };
  return JSON.stringify({ event });
};

const toHeaders = async (body: string): Promise<Record<string, string>> => ({
  "content-type": "application/json",
  "x-signature": sign === undefined ? createHmac("sha256", secret).update(body).digest("base64") : await sign(body),
});

const send = async (body: string): Promise<void> => {
  const answer = await pool.request({ method: "POST", path: "/", headers: await toHeaders(body), body });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`);
};

/** Sends what waits in the outbox, 64 at a time, until there is nothing more. */
const createDeliverer = (outbox: Outbox): (() => void) => {
  const waiting: { readonly id: string; readonly body: string }[] = [];
  let lanes = 0;
  const runLane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await send(next.body);
      await outbox.mark(next.id);
      if (waiting.length === 0) waiting.push(...outbox.claim());
    }
    lanes--;
  };
  return () => {
    waiting.push(...outbox.claim());
    for (; lanes < Math.min(inFlight, waiting.length); lanes++) void runLane();
  };
};

const createMake = (): (() => Promise<unknown>) => {
  if (base === "direct") return () => send(makeBody(randomUUID()));
  const outbox = base === "logged" ? openLoggedOutbox(synchronous) : openOutbox(synchronous, base === "batched");
  const deliver = createDeliverer(outbox);
  return async () => {
    const id = randomUUID();
    await outbox.add(id, makeBody(id));
    deliver();
  };
};

const make = createMake();
process.on("message", async (job: EventJob) => process.send?.(await measureEvents(url, job, make)));
