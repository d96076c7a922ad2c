// What the crash test would overlook, it could not find: each fault is put into a history without one.
import { expect, test } from "vitest";
import { type Accepted, type CallHistory, isSound, judge, type Verdict } from "./judge.js";

const history: CallHistory = {
  groups: new Map([
    ["g1", 2],
    ["g2", 0],
  ]),
  events: ["group.create g1", "group.create g2", "group.update g1", "group.update g1", "user.create u1"],
  sent: new Map([["group.update g1", 3]]),
};
const stored: Readonly<Record<string, number>> = { g1: 2, g2: 0 };
const accepted: readonly Accepted[] = history.events.map((about, index) => ({ about, eventId: `event ${index}` }));
const sound: Verdict = { lostWrites: 0, lostEvents: 0, doubledEvents: 0, repeatedDeliveries: 0 };

interface Change {
  readonly stored?: Readonly<Record<string, number>>;
  readonly accepted?: readonly Accepted[];
}

async function judgeWith(change: Change): Promise<Verdict> {
  const numbers = change.stored ?? stored;
  return judge(history, change.accepted ?? accepted, async (id) => numbers[id], 0);
}

const again = (about: string, eventId: string): readonly Accepted[] => [...accepted, { about, eventId }];

const faults: readonly (readonly [fault: string, Change, Partial<Verdict>])[] = [
  ["a record that is gone", { stored: { g1: 2 } }, { lostWrites: 1 }],
  ["a record that never changed", { stored: { ...stored, g1: 0 } }, { lostWrites: 1 }],
  ["a change undone", { stored: { ...stored, g1: 1 } }, { lostWrites: 1 }],
  ["nothing stored", { stored: {} }, { lostWrites: 2 }],
  ["a creation without its event", { accepted: accepted.slice(1) }, { lostEvents: 1 }],
  ["an event of another record", { accepted: again("user.create u2", "event 9").slice(1) }, { lostEvents: 1 }],
  ["one event for two changes", { accepted: accepted.filter((_, index) => index !== 3) }, { lostEvents: 1 }],
  [
    "one of two changes delivered twice",
    { accepted: accepted.map((one) => (one.eventId === "event 3" ? { ...one, eventId: "event 2" } : one)) },
    { lostEvents: 1, repeatedDeliveries: 1 },
  ],
  ["no delivery", { accepted: [] }, { lostEvents: 5 }],
  ["two events of one creation", { accepted: again("group.create g1", "event 9") }, { doubledEvents: 1 }],
  [
    "two events of a creation without an answer",
    { accepted: [...again("user.create u2", "event 8"), { about: "user.create u2", eventId: "event 9" }] },
    { doubledEvents: 1 },
  ],
  [
    "more changes than were sent",
    { accepted: [...again("group.update g1", "event 8"), { about: "group.update g1", eventId: "event 9" }] },
    { doubledEvents: 1 },
  ],
];

test.each(faults)("finds %s", async (_fault, change, found) => {
  const verdict = await judgeWith(change);
  expect(verdict).toEqual({ ...sound, ...found });
  expect(isSound(verdict)).toBe(false);
});

const harmless: readonly (readonly [what: string, Change, Partial<Verdict>])[] = [
  ["what is as it should be", {}, {}],
  ["a delivery repeated under the id of its event", { accepted: again("group.create g1", "event 0") }, { repeatedDeliveries: 1 }],
  [
    "a change that was stored without an answer",
    { stored: { ...stored, g1: 3 }, accepted: again("group.update g1", "event 9") },
    {},
  ],
  ["a creation that was stored without an answer", { accepted: again("user.create u2", "event 9") }, {}],
];

test.each(harmless)("passes %s", async (_what, change, found) => {
  const verdict = await judgeWith(change);
  expect(verdict).toEqual({ ...sound, ...found });
  expect(isSound(verdict)).toBe(true);
});

test("waits for an event that comes late", async () => {
  const late = accepted.slice(1);
  setTimeout(() => late.push(...accepted.slice(0, 1)), 20);
  expect(await judge(history, late, async (id) => stored[id], 10_000)).toEqual(sound);
});
