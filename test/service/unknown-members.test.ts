import { IdentityError, type IdentityService } from "latchkey";
import { createTestIdentity } from "latchkey/testing";
import { beforeAll, describe, expect, onTestFinished } from "vitest";
import { familyOperations, routes } from "../../src/families/index.js";
import known from "../../src/operations/family/known-members.json" with { type: "json" };
import { isStrict, type KnownNode } from "../../src/operations/family/unknown-members.js";
import { expectOk } from "../support/answer.js";
import { makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid } from "../support/world.js";

const types: readonly Readonly<Record<string, KnownNode>>[] = known.types as never;
const operations = Object.entries(known.operations as Readonly<Record<string, KnownNode>>);
const unknown = "noSuchMember";

type Call = (input: object, options?: object) => Promise<unknown>;

function callOf(identity: object, name: string): Call {
  const [family = "", verb = ""] = name.split(".");
  return Reflect.get(Reflect.get(identity, family), verb);
}

async function refusalOf(call: Promise<unknown>): Promise<IdentityError | undefined> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof IdentityError ? thrown : undefined;
}

/** Every place below a type that holds an object, as the names that lead there; each type once. */
function placesOf(node: KnownNode, path: readonly string[] = [], seen: readonly number[] = []): readonly (readonly string[])[] {
  if (typeof node !== "number" || seen.includes(node)) return [];
  const below = Object.entries(types[node] ?? {}).flatMap(([name, member]) =>
    placesOf(member, [...path, name === "*" ? "any-name" : name], [...seen, node]),
  );
  // A map takes every name.
  return "*" in (types[node] ?? {}) ? below : [path, ...below];
}

function nest(path: readonly string[], value: object, isInList: boolean): object {
  return path.reduceRight<object>((inner, name, index) => ({ [name]: isInList && index > 0 ? [inner] : inner }), value);
}

let identity: IdentityService;

beforeAll(async () => {
  const kit = await createTestIdentity();
  identity = kit.identity;
  return () => kit.close();
});

describe("every operation in process", () => {
  requirement("in-process.unknown", "is in the list of known members", () => {
    const names = Object.entries(familyOperations).flatMap(([family, verbs]) =>
      Object.keys(verbs).map((verb) => `${family}.${verb}`),
    );
    expect(operations.map(([name]) => name)).toEqual(expect.arrayContaining(names));
    expect(names.length).toBeGreaterThan(150);
  });

  requirement("in-process.unknown", "refuses an unknown member at each level, in objects and in lists", async () => {
    let places = 0;
    for (const [name, root] of operations)
      for (const path of placesOf(root))
        for (const isInList of [false, true]) {
          places++;
          const error = await refusalOf(callOf(identity, name)(nest(path, { [unknown]: 1 }, isInList)));
          expect({ name, path, status: error?.status, code: error?.code }).toEqual({
            name,
            path,
            status: 400,
            code: expect.stringMatching(/^\[unknown\]/),
          });
          expect(error?.code.endsWith(unknown)).toBe(true);
        }
    expect(places).toBeGreaterThan(500);
  });

  requirement("in-process.unknown", "refuses an unknown option of the call", async () => {
    for (const [name] of operations) {
      const error = await refusalOf(callOf(identity, name)({}, { tenantid: uuid(1) }));
      expect([name, error?.fieldErrors]).toEqual([
        name,
        { tenantid: [{ code: "[unknown]tenantid", message: "There is no member [tenantid]. Did you mean [tenantId]?" }] },
      ]);
    }
  });

  requirement("in-process.known", "takes undefined, and what is free to hold anything", async () => {
    for (const [name] of operations) {
      const error = await refusalOf(callOf(identity, name)({ [unknown]: undefined }, { [unknown]: undefined }));
      expect([name, error?.code]).not.toEqual([name, expect.stringContaining("[unknown]")]);
    }
    const data = { nmae: { deep: [{ deeper: 1 }] } };
    expect((await identity.groups.create({ group: { name: "G", data } })).group.data).toEqual(data);
  });

  requirement("in-process.wire", "ignores it over HTTP, except where a misspelt limit grants more", async () => {
    const world = identity;
    const { apiKey } = await world.apiKeys.create({ apiKey: { key: "a-key-of-the-test-that-is-long-enough", keyManager: true } });
    const headers = { authorization: apiKey.key ?? "a-key-of-the-test-that-is-long-enough", "content-type": "application/json" };
    for (const { method, path, target } of routes) {
      if (method === "GET") continue;
      const url = path.replace(/:\w+/g, uuid(77));
      const body = {
        [unknown]: 1,
        // Criteria are the exception: `search.unknown`.
        search: {},
        group: { name: "G", [unknown]: 1 },
        user: { [unknown]: 1 },
      };
      const answer = await world.inject({ method, url, headers, body } as never);
      expect([url, answer.body.includes("[unknown]")]).toEqual([url, isStrict(target)]);
    }
  });
});

describe("a record that was read", () => {
  requirement("in-process.known", "can be written back as it is, by every family", async () => {
    const kit = await createTestIdentity();
    onTestFinished(() => kit.close());
    let written = 0;
    for (const [family, factory] of Object.entries(kit.factories)) {
      const answer = (await factory.create({})) as Readonly<Record<string, { readonly id?: string }>>;
      const verbs: object = Reflect.get(familyOperations, family);
      for (const verb of ["update", "upsert", "patch"].filter((name) => name in verbs)) {
        const input = verb === "patch" ? { patch: answer } : answer;
        const error = await refusalOf(callOf(kit.identity, `${family}.${verb}`)(input));
        expect([family, verb, error?.code]).not.toEqual([family, verb, expect.stringContaining("[unknown]")]);
        written++;
      }
    }
    expect(written).toBeGreaterThan(20);
  });
});

forEachStorage((start) => {
  requirement("in-process.unknown", "suggests the nearest name, and writes nothing", async () => {
    const world = await start();
    const group = { name: "Editors", dta: { a: 1 }, nmae: "x" };
    const error = await refusalOf(world.identity.groups.create({ groupId: uuid(1), group } as never));
    expect(error?.fieldErrors).toEqual({
      "group.dta": [{ code: "[unknown]group.dta", message: "There is no member [group.dta]. Did you mean [group.data]?" }],
      "group.nmae": [{ code: "[unknown]group.nmae", message: "There is no member [group.nmae]. Did you mean [group.name]?" }],
    });
    expect((await world.identity.groups.list()).groups).toEqual([]);
    expectOk(await world.caller.post(`/api/group/${uuid(1)}`, { group }));
  });

  requirement("in-process.unknown", "a patch is looked through in its three modes", async () => {
    const world = await start();
    const groupId = await makeGroup(world, world.defaultTenantId, "G");
    const { groups } = world.identity;
    for (const [input, code] of [
      [{ groupId, patch: { group: { nmae: "x" } } }, "[unknown]group.nmae"],
      [{ groupId, patch: { group: { nmae: "x" } }, mode: "merge" }, "[unknown]group.nmae"],
      [{ groupId, group: { name: "x" } }, "[unknown]group"],
      [{ groupId, patch: [{ op: "add", path: "/group/nmae", value: "x" }], mode: "json" }, "[unknown]group.nmae"],
      [{ groupId, patch: [{ op: "move", path: "/group/name", from: "/group/nmae" }], mode: "json" }, "[unknown]group.nmae"],
      [{ groupId, patch: [{ op: "add", path: "/group", value: { nmae: "x" } }], mode: "json" }, "[unknown]group.nmae"],
      [{ groupId, patch: [{ op: "add", path: "/group/name", vlaue: "x" }], mode: "json" }, "[unknown][0].vlaue"],
    ] as const)
      expect([input, (await refusalOf(groups.patch(input as never)))?.code]).toEqual([input, code]);
    const data = [{ op: "add", path: "/group/data/nmae", value: { a: [{ b: 1 }] } }];
    expect((await groups.patch({ groupId, patch: data, mode: "json" })).group.data).toEqual({ nmae: { a: [{ b: 1 }] } });
  });

  requirement("in-process.unknown", "an event names its unknown members, up to 100", async () => {
    const { identity, defaultTenantId } = await start();
    const event = { type: "group.create", tenantId: defaultTenantId, group: { id: uuid(1), name: "G" }, grp: 1 };
    expect((await refusalOf(identity.events.publish(event as never)))?.code).toBe("[unknown]grp");
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, 1]));
    const error = await refusalOf(identity.groups.create({ group: { name: "G", ...many } } as never));
    expect(Object.keys(error?.fieldErrors ?? {})).toHaveLength(100);
  });

  requirement("in-process.unknown", "a member of a list that is looked through in steps is named by its place", async () => {
    const members = Array.from({ length: 2_500 }, (_, index) => ({
      userId: uuid(index),
      ...(index === 2_345 && { [unknown]: 1 }),
    }));
    const call = identity.groupMembers.add({ members: { [uuid(1)]: members } });
    const refusal = await refusalOf(call);
    expect(Object.keys(refusal?.fieldErrors ?? {})).toEqual([`members[${uuid(1)}][2345].${unknown}`]);
  });

  requirement("in-process.known", "a host's own words are known", async () => {
    const { identity } = await start({ names: { broker: "stream" } });
    const { integrations } = await identity.integrations.retrieve();
    await identity.integrations.update({ integrations });
    const error = await refusalOf(
      identity.integrations.update({ integrations: { ...integrations, stream: { enabeld: true } } } as never),
    );
    expect(error?.code).toBe("[unknown]integrations.stream.enabeld");
  });

  requirement("in-process.unknown", "calls in a transaction and of others are looked through as well", async () => {
    const { identity } = await start();
    const input = { group: { nmae: "x" } } as never;
    expect((await refusalOf(identity.transaction((tx) => tx.groups.create(input))))?.code).toBe("[unknown]group.nmae");
    expect((await refusalOf(identity.as({ kind: "host" } as never).groups.create(input)))?.code).toBe("[unknown]group.nmae");
  });

  requirement("in-process.wire", "a kickstart ignores unknown members", async () => {
    const apiKeys = [{ key: "a-key-of-the-kickstart-0123456789abcdef" }];
    const kickstart = { apiKeys, requests: [{ method: "POST", url: "/api/group", body: { group: { name: "G", nmae: "x" } } }] };
    const { identity } = await start({ kickstart: kickstart as never });
    expect((await identity.groups.list()).groups.map(({ name }) => name)).toEqual(["G"]);
  });
});
