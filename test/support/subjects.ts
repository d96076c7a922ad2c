import type { ServerResponse } from "node:http";
import { vi } from "vitest";
import { type Received, type Sink, startSink } from "./sink.js";
import { watchStorage } from "./watched-storage.js";
import { makeWebhook } from "./webhooks.js";
import { type Start, startWorld, uuid, type World } from "./world.js";

/** A received event: the number of its subject, and its number within the subject. */
export type Seen = readonly [subject: number, number: number];

/** The received events in order. */
export function seenBy(received: readonly Received[]): readonly Seen[] {
  return received.map(({ body }) => {
    const { user } = JSON.parse(body).event;
    return [Number(user.id.slice(-12)), user.data.number];
  });
}

/** The numbers of one subject's events, in order. */
export function numbersOf(seen: readonly Seen[], subject: number): readonly number[] {
  return seen.filter(([one]) => one === subject).map(([, number]) => number);
}

/** The whole numbers from 1 to `count`. */
export function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_one, index) => index + 1);
}

/** Publishes events about these subjects in turn, numbered within each. */
export async function publishAbout(world: World, subjects: readonly number[], numbers: readonly number[]): Promise<void> {
  for (const number of numbers)
    for (const subject of subjects) {
      const user = { id: uuid(subject), data: { number } };
      await world.identity.events.publish({ type: "user.deactivate", tenantId: world.defaultTenantId, user });
    }
}

/** A service with ordered delivery per subject. */
export function startOrdered(start: Start, retryDelaysMilliseconds: readonly number[] = Array(50).fill(20)): Promise<World> {
  return start({ allowPrivateNetwork: true, delivery: { order: "subject", retryDelaysMilliseconds } });
}

/** Another process with ordered delivery, on the storage and with the clock of a service. */
export function startBeside(world: World, retryDelaysMilliseconds: readonly number[]): Promise<World> {
  const storage = { ...watchStorage(world.storage, {}), close: async () => undefined };
  const delivery = { order: "subject", retryDelaysMilliseconds } as const;
  return startWorld(storage, { allowPrivateNetwork: true, clock: world.clock.now, delivery });
}

/**
 * Waits until a check passes. Meanwhile running deliveries poll more often, and each try advances the first service's clock by
 * `passing` milliseconds.
 */
export function whilePolling(worlds: readonly World[], check: () => unknown, passing = 0): Promise<void> {
  const look = async (): Promise<void> => {
    worlds[0]?.clock.advance(passing);
    for (const { identity } of worlds) await identity.start();
    await check();
  };
  return vi.waitFor(look, { timeout: 20_000, interval: 20 });
}

/** Makes a webhook for the events of {@link publishAbout}. */
export async function makeListener(world: World, { url }: Sink): Promise<string> {
  return makeWebhook(world, { url, global: true, eventsEnabled: { "user.deactivate": true }, readTimeout: 20_000 });
}

/** A sink that holds its responses. */
export interface HeldSink extends Sink {
  readonly open: ServerResponse[];
}

/** Starts a sink that responds when the test does. */
export async function startHeldSink(): Promise<HeldSink> {
  const open: ServerResponse[] = [];
  return { ...(await startSink((_request, response) => void open.push(response))), open };
}

/** A sink that records the events that it accepts. */
export interface FlappingSink extends Sink {
  readonly taken: Seen[];
}

/** Starts a sink that refuses every event this many times, then accepts it. */
export async function startFlappingSink(refusals: number): Promise<FlappingSink> {
  const counts = new Map<string, number>();
  const taken: Seen[] = [];
  const sink = await startSink((_request, response) => {
    const [seen] = seenBy(sink.received.slice(-1));
    const count = (counts.get(String(seen)) ?? 0) + 1;
    counts.set(String(seen), count);
    if (count > refusals && seen !== undefined) taken.push(seen);
    response.writeHead(count > refusals ? 200 : 503).end();
  });
  return { ...sink, taken };
}
