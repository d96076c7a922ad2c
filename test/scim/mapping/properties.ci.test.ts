import type { User } from "latchkey/types";
import { expect, test } from "vitest";
import { toScimGroup } from "../../../adapters/scim/mapping/groups.js";
import { toScimUser } from "../../../adapters/scim/mapping/show-user.js";
import { toUserChange } from "../../../adapters/scim/mapping/user-change.js";
import { applyPatch } from "../../../adapters/scim/patch/apply-patch.js";
import { patchSchemaId, readPatch } from "../../../adapters/scim/patch/read-patch.js";
import { ScimError } from "../../../adapters/scim/schema/errors.js";
import { readResource } from "../../../adapters/scim/schema/read-resource.js";
import { createResourceTypes, enterpriseSchemaId, type ScimResource, userType } from "../../../adapters/scim/schema/schemas.js";
import { fc } from "../../support/properties.js";
import type { ModelOperation } from "../patch/patch-model.js";
import { toRequest, userOperations } from "../patch/random-operations.js";
import { anyJson, user as anyUser, toShown } from "./random-resources.js";
import { toGroup, toUser } from "./records.js";

const runs = { numRuns: 5000 };
const urn = "urn:example:2.0:User";
const { user: type, group: groupType } = createResourceTypes([
  {
    id: urn,
    name: "Example",
    attributes: [
      { name: "value", required: true },
      { name: "type", multiValued: true },
    ],
  },
  { id: "urn:example:2.0:Group", name: "Example", attributes: [{ name: "value", type: "dateTime" }] },
]);
const namedManager = { enterprise: { manager: { displayName: "Eve" } } };
const place = { location: "https://id.example/1", type: userType };

function read(body: ScimResource): ScimResource | undefined {
  try {
    return readResource(userType, body).resource;
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}

// As the API stores the fields that a request leaves out.
function store(resource: ScimResource, current?: User): User {
  const { user, active = true } = toUserChange(userType, resource, current);
  const { id, insertInstant } = toUser();
  return toUser({ ...(user as Partial<User>), id, insertInstant, active });
}

// Without what no client can write: the name of a manager is that of another user.
function withoutReadOnly({ id: _id, meta: _meta, groups: _groups, ...resource }: ScimResource): ScimResource {
  const { manager, ...enterprise } = (resource[enterpriseSchemaId] ?? {}) as ScimResource;
  if (manager === undefined) return resource;
  const { displayName: _name, ...writable } = manager as ScimResource;
  const members = { ...enterprise, ...(Object.keys(writable).length > 0 && { manager: writable }) };
  const schemas = resource.schemas as readonly string[];
  const { [enterpriseSchemaId]: _shown, ...others } = resource;
  return Object.keys(members).length > 0
    ? { ...others, [enterpriseSchemaId]: members }
    : { ...others, schemas: schemas.filter((id) => id !== enterpriseSchemaId) };
}

const show = (user: User) => withoutReadOnly(toScimUser(user, place));
const lower = ({ userName, ...resource }: ScimResource) => ({ ...resource, userName: String(userName).toLowerCase() });

test("a user shows every attribute that was written, before and after other users and changes", () => {
  const check = (first: ScimResource, second: ScimResource) => {
    const created = read(first);
    const replaced = read(second);
    if (created === undefined || replaced === undefined) return;
    const user = store(created);
    expect(show(user)).toEqual(toShown({ active: true, ...created }));
    // A user without username shows its email address in lower case.
    const { username: _none, ...withoutUsername } = user;
    const changed = store(replaced, toUser(withoutUsername));
    expect(lower(show(changed))).toEqual(lower(toShown({ active: true, ...replaced })));
  };
  fc.assert(fc.property(anyUser, anyUser, check), runs);
});

test("a user shows what a PATCH made of it", () => {
  const check = (first: ScimResource, operations: readonly ModelOperation[], style: number) => {
    const created = read(first);
    if (created === undefined) return;
    const user = store(created);
    const body = { schemas: [patchSchemaId], Operations: operations.map((operation) => toRequest(operation, style)) };
    const patched = patch(toScimUser(user, place), body);
    if (patched !== undefined) expect(show(store(patched, user))).toEqual(toShown(withoutReadOnly({ active: true, ...patched })));
  };
  fc.assert(fc.property(anyUser, userOperations, fc.integer({ min: 0, max: 5 }), check), runs);
});

function patch(resource: ScimResource, body: unknown): ScimResource | undefined {
  try {
    return applyPatch(userType, resource, readPatch(userType, body).operations);
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}

test("to write a user as it is shown changes nothing, with any JSON in its data", () => {
  const email = fc.option(fc.constantFrom("a@x.example", "b@x.example"), { nil: undefined });
  const languages = fc.constantFrom([], ["de"], ["de_DE", "fr"], ["a_b_c"]);
  const check = (scim: unknown, email: string | undefined, preferredLanguages: readonly string[]) => {
    const user = toUser({ username: "ann", ...(email !== undefined && { email }), preferredLanguages, data: { scim, a: 1 } });
    const shown = toScimUser(user, place);
    const { user: change } = toUserChange(userType, shown, user);
    expect(change.email).toEqual(user.email);
    expect(change.preferredLanguages ?? []).toEqual(preferredLanguages);
    expect(change.data).toHaveProperty("a", 1);
    expect(show(store(shown, user))).toEqual(withoutReadOnly(shown));
  };
  fc.assert(fc.property(anyJson, email, languages, check), { ...runs, examples: [[namedManager, undefined, []]] });
});

test("any JSON in data.scim shows a resource that could be sent", () => {
  const check = (scim: unknown, urnValue: unknown) => {
    const data = { scim: typeof scim === "object" && !Array.isArray(scim) ? { ...scim, extensions: { [urn]: urnValue } } : scim };
    const shown = toScimUser(toUser({ username: "ann", data }), { ...place, type });
    expect(readResource(type, shown).resource).toEqual(withoutReadOnly(shown));
    const group = toScimGroup(toGroup({ data }), { ...place, type: groupType });
    expect(readResource(groupType, group).resource).toEqual(withoutReadOnly(group));
    expect(({} as Record<string, unknown>).title).toBeUndefined();
  };
  fc.assert(fc.property(anyJson, anyJson, check), { ...runs, examples: [[namedManager, {}]] });
});
