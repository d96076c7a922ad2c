// Texts that searches and filters could compare differently, and filters of them.
import { enterpriseSchemaId } from "../../../adapters/scim/schema/schemas.js";
import { fc } from "../../support/properties.js";

/** Texts that differ in case, in blanks, in wildcards or in length, or that fold to each other. */
export const words: readonly string[] = [
  "Ann",
  "anna",
  "an n",
  "a*b",
  "a**b",
  "Sam",
  "\u017fam",
  "Kelvin",
  "\u212aelvin",
  "Müller",
  "MÜLLER",
  "İstanbul",
  "istanbul",
  "i\u0307stanbul",
  "ΑΣ",
  "ας",
  "50%_\\",
  "success",
  "ski\u017f\u017fk",
  "x".repeat(100),
  "X".repeat(101),
  "é".repeat(100),
  'say "x"',
];

/** Values of filters: those texts in another case, and parts of them. */
export const value: fc.Arbitrary<string> = fc
  .record({ word: fc.constantFrom(...words, "", " ", "\0", "\ud800", "a@x.example"), change: fc.nat(8), at: fc.nat(3) })
  .map(({ word, change, at }) => {
    if (change === 0) return word.toUpperCase();
    if (change === 1) return word.toLowerCase();
    if (change === 2) return word.slice(0, at + 1);
    if (change === 3) return word.slice(at);
    return change === 4 ? ` ${word}` : word;
  });

const operator = fc.constantFrom("eq", "eq", "eq", "ne", "co", "sw", "ew", "gt");

/** Attributes of users that are texts. */
export const textAttributes: readonly string[] = [
  "userName",
  "name.givenName",
  "name.familyName",
  "name.formatted",
  "name.middleName",
  "name.honorificPrefix",
  "externalId",
  "title",
  "displayName",
  "emails.value",
  "emails.type",
  "phoneNumbers",
  `${enterpriseSchemaId}:department`,
  `${enterpriseSchemaId}:manager.value`,
];

/** Members of `data` that a host may declare for them. */
export const searchable: readonly string[] = [
  "scim.externalId",
  "scim.title",
  "scim.name.honorificPrefix",
  "scim.enterprise.department",
  "scim.enterprise.manager.value",
];

const texts = fc
  .record({ name: fc.constantFrom(...textAttributes), operator, value })
  .map(({ name, operator, value }) => `${name} ${operator} ${JSON.stringify(value)}`);

const presence = fc.constantFrom(
  ...["userName pr", "id pr", "name.givenName pr", "name.formatted pr", "title pr", "groups pr", "meta.created pr"],
  ...["name.familyName eq null", "name.formatted ne null", "externalId eq null", "active ne null"],
);

/** Filters as text; `ids` are those of users, `groupIds` those of groups. */
export function filters(ids: readonly string[], groupIds: readonly string[]): fc.Arbitrary<string> {
  const id = fc.constantFrom(...ids, ids[0]?.toUpperCase() ?? "", "x");
  const groupId = fc.constantFrom(...groupIds, groupIds[0]?.toUpperCase() ?? "", "x");
  const leaf = fc.oneof(
    { weight: 6, arbitrary: texts },
    presence,
    fc.constantFrom("active eq true", "active eq False", "active ne true"),
    id.map((id) => `id eq "${id}"`),
    groupId.map((id) => `groups.value eq "${id}"`),
    groupId.map((id) => `groups[value eq "${id}"]`),
    groupId.map((id) => `groups ne "${id}"`),
  );
  const { filter } = fc.letrec<{ filter: string; and: string; or: string; not: string }>((tie) => ({
    filter: fc.oneof({ maxDepth: 3 }, { weight: 3, arbitrary: leaf }, tie("and"), tie("or"), tie("not")),
    and: fc.tuple(tie("filter"), tie("filter")).map(([one, other]) => `(${one}) and (${other})`),
    or: fc.tuple(tie("filter"), tie("filter")).map(([one, other]) => `(${one}) or (${other})`),
    not: tie("filter").map((filter) => `not (${filter})`),
  }));
  return filter;
}
