import { setTimeout as pause } from "node:timers/promises";

/** A delivery that the receiver accepted: the id of its event, and what the event is about, such as `group.create {id}`. */
export interface Accepted {
  readonly eventId: string;
  readonly about: string;
}

/** What callers know of their calls. */
export interface CallHistory {
  /** The acknowledged groups, with the last number that was acknowledged of each. */
  readonly groups: ReadonlyMap<string, number>;
  /** What an acknowledged call caused, once for each call. */
  readonly events: readonly string[];
  /** How many calls were sent, answered or not, that cause an event, by what it is about. A record is created once. */
  readonly sent: ReadonlyMap<string, number>;
}

/** What a run has lost and doubled. Deliveries may repeat under the id of their event. */
export interface Verdict {
  readonly lostWrites: number;
  readonly lostEvents: number;
  readonly doubledEvents: number;
  readonly repeatedDeliveries: number;
}

/** The number that is stored in a group; undefined where there is no such group. */
export type ReadNumber = (id: string) => Promise<number | undefined>;

/** Compares what callers know with what is stored and what was delivered; waits for late deliveries, at most so many milliseconds. */
export async function judge(
  history: CallHistory,
  accepted: readonly Accepted[],
  read: ReadNumber,
  patienceMs: number,
): Promise<Verdict> {
  const deadline = performance.now() + patienceMs;
  while (countLostEvents(history, accepted) > 0 && performance.now() < deadline) await pause(250);
  return {
    lostWrites: await countLostWrites(history, read),
    lostEvents: countLostEvents(history, accepted),
    doubledEvents: countDoubledEvents(history, accepted),
    repeatedDeliveries: accepted.length - new Set(accepted.map(({ eventId }) => eventId)).size,
  };
}

/** Whether nothing was lost or doubled. */
export function isSound({ doubledEvents, lostEvents, lostWrites }: Verdict): boolean {
  return lostWrites + lostEvents + doubledEvents === 0;
}

// A write that was not acknowledged may have been stored.
async function countLostWrites({ groups }: CallHistory, read: ReadNumber): Promise<number> {
  let lost = 0;
  for (const [id, number] of groups) if (((await read(id)) ?? -1) < number) lost++;
  return lost;
}

// A record that changed so often has so many events.
function countLostEvents({ events }: CallHistory, accepted: readonly Accepted[]): number {
  const delivered = countEvents(accepted);
  const acknowledged = Map.groupBy(events, (about) => about);
  return sum(acknowledged, ([about, all]) => all.length - (delivered.get(about) ?? 0));
}

function countDoubledEvents({ sent }: CallHistory, accepted: readonly Accepted[]): number {
  return sum(countEvents(accepted), ([about, count]) => count - (sent.get(about) ?? 1));
}

/** How many events there were of each, however often they were delivered. */
function countEvents(accepted: readonly Accepted[]): ReadonlyMap<string, number> {
  const events = new Map(accepted.map(({ about, eventId }) => [eventId, about]));
  return new Map([...Map.groupBy(events.values(), (about) => about)].map(([about, all]) => [about, all.length]));
}

function sum<Item>(items: Iterable<Item>, toNumber: (item: Item) => number): number {
  return [...items].reduce((total, item) => total + Math.max(0, toNumber(item)), 0);
}
