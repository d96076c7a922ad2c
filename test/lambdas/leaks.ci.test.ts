// Nothing that a call does is seen by the next one in the same realm (test/bench/README.md; docs/reference/threats.md, 5). A list and no proof: it is to grow.
import type { LambdaRunner } from "latchkey/ports";
import { quickJsRunner } from "latchkey/runners";
import { expect, test } from "vitest";
import { jwtAfter, toRun } from "../contract/lambda-runner/kit.js";
import { bodyOfChannel, furtherChannels, type LeakChannel, measuredChannels } from "../support/leak-channels.js";
import { changedBy, forEachEngine, type RealmOptions, type TestRealm } from "../support/realm.js";

const channels = [...measuredChannels, ...furtherChannels];

/** Whether a second call finds what a first one left, or fails of it. A body that is no script leaves nothing. */
async function leaks(realm: TestRealm, channel: LeakChannel): Promise<boolean> {
  const body = bodyOfChannel(channel);
  try {
    realm.run(body, { values: { jwt: { writes: true } } });
  } catch (error) {
    if (String(error).includes("SyntaxError")) return false;
    throw error;
  }
  await new Promise((resolve) => setImmediate(resolve));
  const reader = realm.run(body, { values: { jwt: {} } });
  return reader.kind !== "ok" || (changedBy(reader) as { jwt: { leak: boolean } }).jwt.leak;
}

/** The names of the channels that leak, each tried in a realm of its own. */
async function leakingOf(makeRealm: (options?: RealmOptions) => TestRealm, isFrozen: boolean): Promise<string[]> {
  const leaking: string[] = [];
  for (const channel of channels) {
    const realm = makeRealm({ isFrozen });
    if (await leaks(realm, channel)) leaking.push(channel.name);
    realm.close();
  }
  return leaking;
}

test("no channel is listed twice", () => {
  expect(measuredChannels).toHaveLength(27);
  expect(new Set(channels.map(({ name }) => name)).size).toBe(channels.length);
});

forEachEngine((makeRealm, engine) => {
  test(`nothing is left for the next call in ${engine}`, async () => {
    const leaking = await leakingOf(makeRealm, true);
    console.info(`${engine}: ${channels.length} channels, ${leaking.length} leaks`);
    expect(leaking).toEqual([]);
  });

  test(`the same channels leak in ${engine} where nothing is frozen`, async () => {
    const expected = channels.filter(({ isCleanAnyway = false }) => !isCleanAnyway).map(({ name }) => name);
    expect(await leakingOf(makeRealm, false)).toEqual(expected);
  });

  test(`all channels one after another leave the realm of ${engine} as it was`, async () => {
    const realm = makeRealm();
    const observe =
      "function populate(jwt) { jwt.seen = [Object.keys(globalThis).length, String([1, { a: 2 }]), JSON.stringify({ a: [1] })]; }";
    const before = changedBy(realm.run(observe));
    for (const channel of channels) await leaks(realm, channel);
    expect(changedBy(realm.run(observe))).toEqual(before);
    realm.close();
  });
});

/** What only other engines have, or do. */
const channelsOfQuickJs: readonly LeakChannel[] = [
  { name: "prototype of InternalError", write: "InternalError.prototype.leak = 1;", read: "new InternalError().leak" },
  {
    name: "prototype of Iterator.concat",
    write: "Object.getPrototypeOf(Iterator.concat([])).leak = 1;",
    read: "Object.getPrototypeOf(Iterator.concat([])).leak",
  },
  ...["NaN", "undefined", "Infinity", "Map", "Object"].map((name) => ({
    name: `value of ${name}`,
    write: `Reflect.defineProperty(globalThis, "${name}", { value: 1 });`,
    read: `globalThis.${name} === 1`,
  })),
  {
    name: "value of a global by a field of a class",
    write: "class Base { constructor() { return globalThis; } } new (class extends Base { Set = 1; })();",
    read: "globalThis.Set === 1",
  },
  {
    name: "value of a global by a promise",
    write: "Promise.resolve().then(() => Reflect.defineProperty(globalThis, 'Date', { value: 1 }));",
    read: "globalThis.Date === 1",
  },
];

async function leaksIn(runner: LambdaRunner, channel: LeakChannel): Promise<boolean> {
  const body = bodyOfChannel(channel);
  const parts = { tenantId: channel.name, lambdaId: channel.name };
  const readIn = (tenantId: string) => runner.run(toRun(body, { ...parts, tenantId, given: { jwt: {} } }));
  // What an engine does not have leaves nothing.
  if ((await readIn("untouched")).kind !== "ok") return false;
  await runner.run(toRun(body, { ...parts, given: { jwt: { writes: true } } }));
  const read = await readIn(channel.name);
  return read.kind !== "ok" || JSON.parse(read.changedJson).jwt.leak;
}

test("nothing is left for the next call in QuickJS", async () => {
  const runner = quickJsRunner({ processes: 1 });
  const leaking: string[] = [];
  for (const channel of [...channels, ...channelsOfQuickJs]) if (await leaksIn(runner, channel)) leaking.push(channel.name);
  expect(leaking).toEqual([]);
  expect(await jwtAfter(runner, "jwt.a = 1;")).toMatchObject({ a: 1 });
  await runner.close();
});
