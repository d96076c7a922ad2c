// Random users, groups and operations, and what a client sends for them.
import { fc } from "../../support/properties.js";
import type { ModelFilter, ModelOperation, Parts } from "./patch-model.js";

const urn = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const op = fc.constantFrom("add" as const, "replace" as const, "remove" as const);
const word = fc.constantFrom("a", "B", "ab", "Work", 'quo"te', "back\\slash", "ünï", "__proto__");
const orNull = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });

const address = fc.constantFrom("a@x.example", "b@x.example", "A@x.example", "c@y.example");
const kind = fc.constantFrom("work", "home", "Work");
const email = fc
  .record({ value: address, type: kind, display: word, primary: fc.boolean() }, { requiredKeys: [] })
  .filter((parts) => Object.keys(parts).length > 0);
const member = fc.constantFrom("m1", "m2", "m3", "m4", "M1").map((value): Parts => ({ value }));

const lower = (value: unknown) => String(value ?? "").toLowerCase();
const text = (value: string) => JSON.stringify(value);

const emailFilter: fc.Arbitrary<ModelFilter> = fc.oneof(
  address.map((value) => ({
    text: `value eq ${text(value)}`,
    test: (it: Parts) => lower(it.value) === lower(value),
    demands: { value },
  })),
  kind.map((type) => ({ text: `Type EQ ${text(type)}`, test: (it: Parts) => lower(it.type) === lower(type), demands: { type } })),
  word.map((display) => ({
    text: `display eq ${text(display)}`,
    test: (it: Parts) => lower(it.display) === lower(display),
    demands: { display },
  })),
  fc.constant({ text: 'primary eq "True"', test: (it: Parts) => it.primary === true, demands: { primary: true } }),
  fc.constant({ text: 'value co "@x."', test: (it: Parts) => lower(it.value).includes("@x.") }),
  fc.constant({ text: "not (type pr)", test: (it: Parts) => it.type === undefined }),
  fc.tuple(address, kind).map(([value, type]) => ({
    text: `type eq ${text(type)} AND (value eq ${text(value)})`,
    test: (it: Parts) => lower(it.type) === lower(type) && lower(it.value) === lower(value),
    demands: { type, value },
  })),
  fc.tuple(address, address).map(([one, other]) => ({
    text: `value eq ${text(one)} or value eq ${text(other)}`,
    test: (it: Parts) => [lower(one), lower(other)].includes(lower(it.value)),
  })),
);

const emailPart = fc.oneof(
  fc.record({ sub: fc.constant("value"), value: orNull(address) }),
  fc.record({ sub: fc.constant("type"), value: orNull(kind) }),
  fc.record({ sub: fc.constant("primary"), value: fc.boolean() }),
  fc.record({ sub: fc.constant(undefined), value: orNull(email) }),
);

const list = (name: string, item: fc.Arbitrary<Parts>) =>
  fc.record({
    kind: fc.constant("list" as const),
    op,
    name: fc.constant(name),
    items: fc.option(fc.array(item, { maxLength: 4 }), { nil: undefined }),
  });

const nameOf = fc.record({ givenName: word, familyName: word }, { requiredKeys: [] });

const userOperation: fc.Arbitrary<ModelOperation> = fc.oneof(
  fc.record({ kind: fc.constant("whole" as const), op, name: fc.constantFrom("displayName", "title"), value: orNull(word) }),
  fc.record({ kind: fc.constant("whole" as const), op, name: fc.constant("active"), value: fc.boolean() }),
  fc.record({
    kind: fc.constant("whole" as const),
    op,
    name: fc.constant("department"),
    extension: fc.constant(urn),
    value: orNull(word),
  }),
  fc.record({ kind: fc.constant("whole" as const), op, name: fc.constant("name"), value: orNull(nameOf) }),
  fc.record({
    kind: fc.constant("part" as const),
    op,
    name: fc.constant("name"),
    sub: fc.constantFrom("givenName", "formatted"),
    value: orNull(word),
  }),
  list("emails", email),
  fc.record({ op, filter: emailFilter, part: emailPart }).map(({ op, filter, part }) => {
    const { sub, value } = part;
    return { kind: "selected" as const, op, name: "emails", filter, value, ...(sub !== undefined && { sub }) };
  }),
);

const memberFilter = member.map(
  ({ value }): ModelFilter => ({ text: `value eq ${text(String(value))}`, test: (it) => it.value === value, demands: { value } }),
);

/** Operations on a group. */
export const groupOperations: fc.Arbitrary<readonly ModelOperation[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("whole" as const),
      op: fc.constantFrom("add" as const, "replace" as const),
      name: fc.constant("displayName"),
      value: word,
    }),
    list("members", member),
    memberFilter.map((filter) => ({ kind: "selected" as const, op: "remove" as const, name: "members", filter, value: null })),
  ),
  { minLength: 1, maxLength: 8 },
);

/** Operations on a user. */
export const userOperations: fc.Arbitrary<readonly ModelOperation[]> = fc.array(userOperation, { minLength: 1, maxLength: 8 });

const isDistinct = (items: readonly Parts[]) => {
  const keys = items.map(({ value, type, display }) =>
    JSON.stringify(value === undefined ? [lower(type), lower(display)] : [lower(value), lower(type)]),
  );
  return new Set(keys).size === items.length && items.filter(({ primary }) => primary === true).length <= 1;
};

/** A user. */
export const user: fc.Arbitrary<Parts> = fc
  .record(
    {
      displayName: word,
      active: fc.boolean(),
      name: fc.record({ familyName: word, formatted: word }),
      emails: fc.array(email, { minLength: 1, maxLength: 4 }).filter(isDistinct),
      [urn]: fc.record({ department: word }),
    },
    { requiredKeys: [] },
  )
  .map((found) => ({ userName: "ann", ...found }));

/** A group. */
export const group: fc.Arbitrary<Parts> = fc
  .uniqueArray(member, { selector: ({ value }) => value, maxLength: 4 })
  .map((members) => ({ displayName: "Crew", ...(members.length > 0 && { members }) }));

/** What a client sends: `style` picks the case of `op`, and whether there is a path. */
export function toRequest(operation: ModelOperation, style: number): unknown {
  const op = style % 2 === 0 ? operation.op : operation.op.toUpperCase();
  if (operation.kind === "selected") {
    const path = `${operation.name}[${operation.filter.text}]${operation.sub === undefined ? "" : `.${operation.sub}`}`;
    return { op, path, value: operation.value };
  }
  const whole =
    operation.kind === "whole" && operation.extension !== undefined ? `${operation.extension}:${operation.name}` : operation.name;
  const path = operation.kind === "part" ? `${whole}.${operation.sub}` : whole;
  const value = operation.kind === "list" ? operation.items : operation.value;
  if (operation.op === "remove") return { op, path, ...(operation.kind === "list" && value !== undefined && { value }) };
  return style % 3 === 0 ? { op, value: { [path]: value ?? null } } : { op, path, value: value ?? null };
}
