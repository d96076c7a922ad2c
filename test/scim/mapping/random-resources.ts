// Random users as directories send them, and what the service shows of them.
import { enterpriseSchemaId, type ScimResource, userType } from "../../../adapters/scim/schema/schemas.js";
import { fc } from "../../support/properties.js";

const word = fc.constantFrom("", " ", "a", "Ann", " Ann ", "ünï", "__proto__", "constructor", "İ", "null");
const part = fc.oneof(word, fc.string({ maxLength: 5 }));
const address = fc.constantFrom("a@x.example", "B@X.example", " c@x.example ", "", "d@y.example");

const itemOf = (value: fc.Arbitrary<string>, types: readonly string[]) =>
  fc.record({ value, display: part, type: fc.constantFrom(...types), primary: fc.boolean() }, { requiredKeys: [] });

const listOf = (value: fc.Arbitrary<string>, ...types: string[]) => fc.array(itemOf(value, types), { maxLength: 3 });

const names = ["formatted", "familyName", "givenName", "middleName", "honorificPrefix", "honorificSuffix"] as const;

/** Bodies of POST and PUT, canonical or not. */
export const user: fc.Arbitrary<ScimResource> = fc
  .record(
    {
      externalId: part,
      displayName: part,
      title: part,
      locale: part,
      timezone: part,
      preferredLanguage: fc.constantFrom("de", "de-DE", "en_us, fr", "zh-Hans", "*", ""),
      active: fc.constantFrom(true, false, "False"),
      name: fc.record(Object.fromEntries(names.map((name) => [name, part])), { requiredKeys: [] }),
      emails: listOf(address, "work", "home", "Work"),
      phoneNumbers: listOf(part, "mobile", "work", "Mobile"),
      photos: listOf(part, "photo", "thumbnail"),
      roles: listOf(part, "x"),
      addresses: fc.array(fc.record({ locality: part, primary: fc.boolean() }, { requiredKeys: [] }), { maxLength: 2 }),
      groups: fc.constant([{ value: "g" }]),
      [enterpriseSchemaId]: fc.record(
        { department: part, manager: fc.record({ value: part }, { requiredKeys: [] }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  )
  .chain((parts) =>
    fc.constantFrom("ann", "Ann", "a@x.example", "A@x.example", " b ").map((userName) => ({ userName, ...parts })),
  );

const trimmed = (value: unknown): unknown => (typeof value === "string" ? value.trim() || undefined : value);

/** What the service shows of a resource: texts that are fields of the API are trimmed, and blank ones are none. */
export function toShown({ name, timezone, userName, ...others }: ScimResource): ScimResource {
  const parts = Object.entries((name ?? {}) as ScimResource).flatMap(([key, value]) => {
    const shown = key.startsWith("honorific") ? value : trimmed(value);
    return shown === undefined ? [] : [[key, shown] as const];
  });
  const zone = trimmed(timezone);
  return {
    ...others,
    userName: trimmed(userName),
    ...(parts.length > 0 && { name: Object.fromEntries(parts) }),
    ...(zone !== undefined && { timezone: zone }),
  };
}

const keys = [
  ...userType.schema.attributes.map(({ name }) => name),
  "externalId",
  "enterprise",
  "extensions",
  "__proto__",
  "value",
];
const subs = ["value", "type", "primary", "display", "department", "manager", "formatted", "constructor", enterpriseSchemaId];

/** JSON under the names that the mapping reads. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    fc.constantFrom(null, true, 0, -1.5, "", "a", "a@x.example", "de-DE", "2026-01-01T00:00:00Z"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 8 }),
    fc.dictionary(fc.constantFrom(...subs), tie("value"), { maxKeys: 5 }),
  ),
})).value;
