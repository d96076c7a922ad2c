// Random filters as text, each with a predicate that was made beside it and knows no parser.
import { fc } from "../../support/properties.js";

/** A resource, or a value of a list. */
export type Parts = Readonly<Record<string, unknown>>;

/** A filter as text, and what it asks. */
export interface RandomFilter {
  readonly text: string;
  readonly test: (resource: Parts) => boolean;
}

const urn = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

/** Texts with what parsers trip over. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("a", "A", "ab", "B", "Ann", "work", "a@x.example", "and", 'say "x"', "c:\\dir\\n", "(", "]", "ü", "Ü"),
  fc.string({ maxLength: 5 }),
);

const operators = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;
type Operator = (typeof operators)[number];

const compareTexts: Readonly<Record<Operator, (found: string, value: string) => boolean>> = {
  eq: (found, value) => found === value,
  ne: (found, value) => found !== value,
  co: (found, value) => found.includes(value),
  sw: (found, value) => found.startsWith(value),
  ew: (found, value) => found.endsWith(value),
  gt: (found, value) => found > value,
  ge: (found, value) => found >= value,
  lt: (found, value) => found < value,
  le: (found, value) => found <= value,
};

type Values = (resource: Parts) => readonly unknown[];

const one = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value]);
const part = (value: unknown, name: string): unknown => (value as Parts | undefined)?.[name];
const emails = (resource: Parts) => (resource.emails ?? []) as readonly Parts[];

// Attributes of texts: how a client may write them, and their values.
const textAttributes: readonly (readonly [readonly string[], Values, boolean])[] = [
  [["userName", "USERNAME", "urn:ietf:params:scim:schemas:core:2.0:User:userName"], (it) => one(it.userName), false],
  [["externalId", "externalid"], (it) => one(it.externalId), true],
  [["name.familyName", "Name.FamilyName"], (it) => one(part(it.name, "familyName")), false],
  [["emails.value", "emails", "Emails.VALUE"], (it) => emails(it).flatMap(({ value }) => one(value)), false],
  [["emails.type"], (it) => emails(it).flatMap(({ type }) => one(type)), false],
  [[`${urn}:department`, `${urn.toUpperCase()}:DEPARTMENT`], (it) => one(part(it[urn], "department")), false],
  [[`${urn}:manager`, `${urn}:manager.value`], (it) => one(part(part(it[urn], "manager"), "value")), false],
];

const spelled = (word: string) => fc.constantFrom(word, word.toUpperCase());

function ofTexts(names: readonly string[], values: Values, isExact: boolean): fc.Arbitrary<RandomFilter> {
  const fold = (value: string) => (isExact ? value : value.toLowerCase());
  return fc
    .record({ name: fc.constantFrom(...names), operator: fc.constantFrom(...operators), value: text })
    .chain(({ name, operator, value }) =>
      spelled(operator).map((spelling) => ({
        text: `${name} ${spelling} ${JSON.stringify(value)}`,
        test: (resource: Parts) => {
          const found = values(resource);
          if (operator === "ne" && found.length === 0) return true;
          return found.some((item) => compareTexts[operator](fold(String(item)), fold(value)));
        },
      })),
    );
}

const presence: fc.Arbitrary<RandomFilter> = fc.constantFrom(...textAttributes).chain(([names, values]) =>
  fc.constantFrom(...names.filter((name) => name.toLowerCase() !== "emails" && !name.endsWith(":manager"))).map((name) => ({
    text: `${name} pr`,
    test: (resource: Parts) => values(resource).some((value) => value !== ""),
  })),
);

const flags: fc.Arbitrary<RandomFilter> = fc
  .record({ operator: fc.constantFrom("eq", "ne"), value: fc.constantFrom("true", "False", '"True"') })
  .map(({ operator, value }) => ({
    text: `ActiVe ${operator} ${value}`,
    test: ({ active }: Parts) => (active === /true/i.test(value)) === (operator === "eq"),
  }));

const day = fc.integer({ min: 1, max: 4 });

/** Dates that are one instant and differ as texts. */
export const date: fc.Arbitrary<{ readonly text: string; readonly instant: number }> = fc
  .record({ day, style: fc.constantFrom("Z", ".000Z", ".0000000Z", "+00:00", "+02:00") })
  .map(({ day, style }) => ({
    text: `2026-01-0${day}T0${style === "+02:00" ? 2 : 0}:00:00${style}`,
    instant: Date.UTC(2026, 0, day),
  }));

const dates: fc.Arbitrary<RandomFilter> = fc
  .record({ operator: fc.constantFrom("eq", "ne", "gt", "ge", "lt", "le"), date })
  .map(({ operator, date }) => ({
    text: `meta.created ${operator} "${date.text}"`,
    test: ({ meta }: Parts) => {
      const created = Date.parse(String(part(meta, "created")));
      const order = Math.sign(created - date.instant);
      return (
        { eq: order === 0, ne: order !== 0, gt: order > 0, ge: order >= 0, lt: order < 0, le: order <= 0 }[operator] ?? false
      );
    },
  }));

const nulls: fc.Arbitrary<RandomFilter> = fc.constantFrom(
  { text: "externalId eq null", test: ({ externalId }: Parts) => externalId === undefined || externalId === "" },
  { text: "externalId ne NULL", test: ({ externalId }: Parts) => externalId !== undefined && externalId !== "" },
);

const inBrackets: fc.Arbitrary<RandomFilter> = fc
  .record({ type: text, value: text, joint: fc.constantFrom("and", "or") })
  .map(({ type, value, joint }) => ({
    text: `emails[type eq ${JSON.stringify(type)} ${joint} not (value co ${JSON.stringify(value)})]`,
    test: (resource: Parts) =>
      emails(resource).some((email) => {
        const isType = String(email.type ?? "\0").toLowerCase() === type.toLowerCase();
        const isOther = email.value === undefined || !String(email.value).toLowerCase().includes(value.toLowerCase());
        return joint === "and" ? isType && isOther : isType || isOther;
      }),
  }));

// Entra's form: what stands behind the brackets is a condition on the same value.
const behindBrackets: fc.Arbitrary<RandomFilter> = fc
  .record({ type: text, other: text, value: text })
  .map(({ type, other, value }) => ({
    text: `emails[type eq ${JSON.stringify(type)} or type eq ${JSON.stringify(other)}].Value co ${JSON.stringify(value)}`,
    test: (resource: Parts) =>
      emails(resource).some((email) => {
        const isType = [type, other].some((one) => String(email.type ?? "\0").toLowerCase() === one.toLowerCase());
        return isType && email.value !== undefined && String(email.value).toLowerCase().includes(value.toLowerCase());
      }),
  }));

const leaf = fc.oneof(
  ...textAttributes.map(([names, values, isExact]) => ofTexts(names, values, isExact)),
  presence,
  flags,
  dates,
  nulls,
  inBrackets,
  behindBrackets,
);

const { filter: tree } = fc.letrec<{ filter: RandomFilter; and: RandomFilter; or: RandomFilter; not: RandomFilter }>((tie) => ({
  filter: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie("and"), tie("or"), tie("not")),
  // Without parentheses where the precedence says the same: `and` binds closer than `or`.
  and: fc.tuple(leaf, tie("filter")).map(([one, other]) => ({
    text: `${one.text} And (${other.text})`,
    test: (it: Parts) => one.test(it) && other.test(it),
  })),
  or: fc.tuple(leaf, leaf, tie("filter")).map(([one, two, other]) => ({
    text: `${one.text} or ${two.text} and (${other.text})`,
    test: (it: Parts) => one.test(it) || (two.test(it) && other.test(it)),
  })),
  not: tie("filter").map((filter) => ({ text: `not (${filter.text})`, test: (it: Parts) => !filter.test(it) })),
}));

/** Filters of users. */
export const filter: fc.Arbitrary<RandomFilter> = tree;

/** Users. */
export const user: fc.Arbitrary<Parts> = fc
  .record(
    {
      externalId: text,
      name: fc.record({ familyName: text }),
      emails: fc.array(fc.record({ value: text, type: text }, { requiredKeys: [] }), { maxLength: 3 }),
      [urn]: fc.record({ department: text, manager: fc.record({ value: text }) }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
  .chain((parts) =>
    fc
      .record({ userName: text, active: fc.boolean(), date })
      .map(({ date, ...rest }) => ({ ...parts, ...rest, meta: { created: date.text } })),
  );
