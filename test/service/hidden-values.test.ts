// What an answer in process must not show: what proves an address.
import { describe, expect } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { oneTimeIdsOf } from "../../src/operations/one-time-ids.js";
import { isObject } from "../../src/shared/objects.js";
import { startFlows } from "../support/flows.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const password = "a password of nobody else";

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
});
