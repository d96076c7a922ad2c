import type { ServerResponse } from "node:http";
import { vi } from "vitest";
import { type Received, type Sink, startSink } from "./sink.js";
import { watchStorage } from "./watched-storage.js";
import { makeWebhook } from "./webhooks.js";
import { type Start, startWorld, uuid, type World } from "./world.js";

/** An event as a receiver saw it: the number of what it is about, and the number that it was published with. */
export type Seen = readonly [subject: number, number: number];

/** The subjects and the numbers of the events that were sent, in the order in which they came. */
export function seenBy(received: readonly Received[]): readonly Seen[] {
  return received.map(({ body }) => {
    const { user } = JSON.parse(body).event;
    return [Number(user.id.slice(-12)), user.data.number];
  });
}

/** The numbers of the events about one subject, in the order in which they came. */
export function numbersOf(seen: readonly Seen[], subject: number): readonly number[] {
  return seen.filter(([one]) => one === subject).map(([, number]) => number);
}

/** The whole numbers from 1 on. */
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

/** A service that sends the events of a subject in order. */
export function startOrdered(start: Start, retryDelaysMilliseconds: readonly number[] = Array(50).fill(20)): Promise<World> {
  return start({ allowPrivateNetwork: true, delivery: { order: "subject", retryDelaysMilliseconds } });
}

/** Another process on the storage of a service that sends events in order, with its clock. */
export function startBeside(world: World, retryDelaysMilliseconds: readonly number[]): Promise<World> {
  const storage = { ...watchStorage(world.storage, {}), close: async () => undefined };
  const delivery = { order: "subject", retryDelaysMilliseconds } as const;
  return startWorld(storage, { allowPrivateNetwork: true, clock: world.clock.now, delivery });
}

/**
 * Waits until a check holds. Meanwhile services that have begun to deliver poll much more often than by themselves, and so many
 * milliseconds pass on the clock of the first one at each look.
 */
export function whilePolling(worlds: readonly World[], check: () => unknown, passing = 0): Promise<void> {
  const look = async (): Promise<void> => {
    worlds[0]?.clock.advance(passing);
    for (const { identity } of worlds) await identity.start();
    await check();
  };
  return vi.waitFor(look, { timeout: 20_000, interval: 20 });
}

/** Makes a webhook for what {@link publishAbout} publishes. */
export async function makeListener(world: World, { url }: Sink): Promise<string> {
  return makeWebhook(world, { url, global: true, eventsEnabled: { "user.deactivate": true }, readTimeout: 20_000 });
}

/** A sink whose calls wait until they are answered. */
export interface HeldSink extends Sink {
  readonly open: ServerResponse[];
}

/** Starts a sink that answers when the test says so. */
export async function startHeldSink(): Promise<HeldSink> {
  const open: ServerResponse[] = [];
  return { ...(await startSink((_request, response) => void open.push(response))), open };
}

/** A sink that keeps what it took. */
export interface FlappingSink extends Sink {
  readonly taken: Seen[];
}

/** Starts a sink that refuses every event so many times before it takes it. */
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
