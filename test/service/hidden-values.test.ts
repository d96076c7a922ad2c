// What an answer or an error in process must not show: what proves an address, and what a record keeps for itself.
import { inspect } from "node:util";
import { IdentityError } from "latchkey";
import { createTestIdentity } from "latchkey/testing";
import { describe, expect } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { oneTimeIdsOf } from "../../src/operations/one-time-ids.js";
import { isObject } from "../../src/shared/objects.js";
import { expectOk } from "../support/answer.js";
import { startFlows } from "../support/flows.js";
import { requirement } from "../support/requirement.js";
import { watchStorage } from "../support/watched-storage.js";
import { forEachStorage, startWorld, storages, uuid } from "../support/world.js";

const password = "a password of nobody else";

/** Names of all members that an enumerable path from a value leads to, those of its causes included. */
function membersOf(value: unknown, seen = new Set<unknown>()): ReadonlySet<string> {
  if (typeof value !== "object" || value === null || seen.has(value)) return new Set();
  seen.add(value);
  const entries = [...Object.entries(value), ...(value instanceof Error ? [["cause", value.cause] as const] : [])];
  return new Set(entries.flatMap(([name, member]) => [name, ...membersOf(member, seen)]));
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

function namesOf(schema: Schema = {}): readonly string[] {
  const { $ref, allOf = [], anyOf = [], oneOf = [], properties = {} } = schema;
  const target = $ref?.slice(2).split("/");
  const named = target?.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), document);
  return [...Object.keys(properties), ...[...allOf, ...anyOf, ...oneOf, ...(named ? [named] : [])].flatMap(namesOf)];
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly "application/json"?: { readonly schema: Schema } } }>
  >;
}

/** Every member of an answer that looks like an id or code that is sent, as `family.verb member`. */
function sentIds(): readonly string[] {
  const operations = Object.values(document.paths as object).flatMap((item) => Object.values(item as object));
  return operations
    .filter((one): one is DocumentedOperation => isObject(one) && "operationId" in one)
    .flatMap(({ operationId, responses }) => {
      const names = Object.values(responses).flatMap(({ content }) => namesOf(content?.["application/json"]?.schema));
      const ids = names.filter((name) => /^code$|oneTimeCode|OneTimeCode|[vV]erificationIds?$|changePasswordId/.test(name));
      return [...new Set(ids)].map((name) => `${operationId.replace(/(?:By|With)[A-Z].*$/, "")} ${name}`);
    });
}

/** They go to the person: a login has shown the password, and what is to be verified then asks for a mailed code. */
const ofLogins = /^(?:identityProviders\.(?:login|reconcile)|(?:logins|passkeys|passwordless|twoFactor)\.login) /;

describe("one-time ids", () => {
  requirement("in-process.return-ids", "are known for every answer of the document", () => {
    const missing = sentIds().filter((one) => {
      const [name = "", member = ""] = one.split(" ");
      return !ofLogins.test(one) && !oneTimeIdsOf(name).includes(member);
    });
    // Names a login at a provider, for the browser that is sent there.
    expect(missing).toEqual(["identityProviders.start code"]);
  });
});

forEachStorage((start) => {
  requirement("in-process.return-ids", "are answered where the call asks for them, and otherwise by mail alone", async () => {
    const { nextMail, setTenant, world } = await startFlows(start);
    const { identity } = world;
    const isEnabled = { enabled: true };
    await setTenant({ emailConfiguration: { verifyEmail: true }, passwordlessConfiguration: isEnabled } as never);
    const user = { email: "ann@example.com", password };
    const made = await identity.users.create({ user });
    expect(Object.keys(made).filter((name) => name !== "user")).toEqual([]);
    expect((await nextMail("check")).words[1]).toMatch(/^\S{20,}$/);
    const forgotten = await identity.logins.forgotPassword({ loginId: user.email });
    expect(forgotten).not.toHaveProperty("changePasswordId");
    const asked = await identity.logins.forgotPassword({ loginId: user.email }, { returnIds: true });
    expect(asked?.changePasswordId).toMatch(/^\S{20,}$/);
    const again = await identity.verifications.resendEmail({ email: user.email }, { returnIds: true });
    expect(again?.verificationId).toMatch(/^\S{20,}$/);
    const other = await identity.transaction((tx) =>
      tx.users.create({ user: { email: "bob@example.com", password } }, { returnIds: true }),
    );
    expect(other.emailVerificationId).toMatch(/^\S{20,}$/);
    await expect(identity.groups.list({}, { returnIds: true } as never)).rejects.toMatchObject({ code: "[unknown]returnIds" });
  });

  requirement("errors.causes", "an error of an operation shows no record to a logger", async () => {
    const { world } = await startFlows(start);
    const user = { email: "ann@example.com", password };
    expectOk(await world.caller.post(`/api/user/${uuid(1)}`, { user }));
    const refusal = await world.identity.users.create({ user }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "[duplicate]user.email" });
    expect(inspect(refusal, { depth: 20 })).not.toMatch(/hash|salt|columns|insertInstant/i);
    expect([...membersOf(refusal)].toSorted()).toEqual([
      "0",
      "cause",
      "code",
      "fieldErrors",
      "generalErrors",
      "headers",
      "message",
      "name",
      "status",
      "user.email",
    ]);
  });
});

requirement("errors.causes", "no refusal of a family shows more than its codes", async () => {
  await using kit = await createTestIdentity();
  const refused: string[] = [];
  const shown = new Set<string>();
  for (const [name, factory] of Object.entries(kit.factories)) {
    const input = await factory.build();
    const calls: object = kit.identity[name as "groups"];
    const make = Object.entries(calls).find(([verb]) => ["create", "generate", "upsert", "add"].includes(verb))?.[1];
    for (let time = 0; time < 2; time++) {
      const error = await make(input).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) continue;
      expect(error).toBeInstanceOf(IdentityError);
      refused.push(name);
      const { fieldErrors } = error as IdentityError;
      for (const member of membersOf({ error, fieldErrors: undefined })) if (!(member in fieldErrors)) shown.add(member);
    }
  }
  expect(refused.length).toBeGreaterThan(5);
  expect([...shown].filter((name) => !/^\d+$/.test(name)).toSorted()).toEqual([
    "cause",
    "code",
    "error",
    "fieldErrors",
    "generalErrors",
    "headers",
    "message",
    "name",
    "status",
  ]);
});

requirement("errors.causes", "an error of a driver keeps its message and code, and no values", async () => {
  const failure: { now: Error | undefined } = { now: undefined };
  const [, open] = storages[0] ?? [];
  if (open === undefined) throw new Error("There is no storage.");
  const storage = watchStorage(open(), {
    beforeCall: () => {
      if (failure.now !== undefined) throw failure.now;
    },
  });
  const { identity } = await startWorld(storage);
  const detail = `Failing row contains (${password}).`;
  failure.now = Object.assign(new Error("null value", { cause: Object.assign(new Error("deeper"), { detail }) }), {
    code: "23502",
    detail,
  });
  const thrown = await identity.groups.list().catch((error: unknown) => error);
  failure.now = undefined;
  expect(thrown).toMatchObject({ message: "null value", code: "23502", cause: { message: "deeper" } });
  expect(inspect(thrown, { depth: 20 })).not.toContain(password);
});
