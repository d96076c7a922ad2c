import { toCanonicalJson } from "latchkey";
import { foldEmailAddress } from "latchkey/ports";
import type { User } from "latchkey/types";
import { ScimError } from "../schema/errors.js";
import type { ResourceType, ScimResource } from "../schema/schemas.js";
import { storeLanguage } from "./languages.js";
import { type MainValueList, mainValueLists, type StoredList, splitList, toValidItems } from "./main-value.js";
import { scimDataOf, storeExtensions, storeVerbatim, trimmedText, withoutUndefined, withScimData } from "./scim-data.js";
import { showLists } from "./show-user.js";
import { mappedUserAttributes, nameFields } from "./user-fields.js";
import { type Members, memberOf } from "./valid-value.js";

/** A SCIM user in terms of the API. */
export interface UserChange {
  /** Members of the API's user request; `data` is always present, others only with a value. */
  readonly user: Record<string, unknown>;
  /** Whether the user may sign in; undefined when the resource has no `active`. */
  readonly active: boolean | undefined;
  /** New password; undefined where the resource has none. */
  readonly password?: string;
}

/**
 * Converts a whole resource, from `readResource` or `applyPatch`, to a user. Attributes without an API field go to `data.scim`.
 * `current` is the user before the request: lists and languages that the request leaves unchanged keep their stored form. Throws
 * `ScimError` 400 `invalidValue` for a blank `userName`.
 */
export function toUserChange(type: ResourceType, resource: ScimResource, current?: User): UserChange {
  const scim = scimDataOf(current);
  const lists = new Map(mainValueLists.map((list) => [list, storeList(list, resource, current)] as const));
  const fields = Object.fromEntries([...lists].map(([{ field }, { main }]) => [field, main]));
  const items = Object.fromEntries([...lists].map(([{ name }, stored]) => [name, nonEmpty(stored.items)]));
  const { name, ...names } = splitName(resource.name);
  const { preferredLanguages, preferredLanguage } = storeLanguage(resource, current, scim);
  const data = withScimData(current?.data, {
    ...storeVerbatim(type, resource, mappedUserAttributes),
    ...items,
    ...storeExtensions(type, resource, scim),
    name,
    preferredLanguage,
  });
  const username = toUsername(resource.userName, fields.email, current);
  const timezone = trimmedText(resource.timezone);
  const user = withoutUndefined({ username, ...fields, ...names, timezone, preferredLanguages, data });
  const { active, password } = resource;
  return {
    user,
    active: typeof active === "boolean" ? active : undefined,
    ...(typeof password === "string" && { password }),
  };
}

function nonEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

function storeList(list: MainValueList, resource: ScimResource, current: User | undefined): StoredList {
  const value = memberOf(resource, list.name);
  if (current === undefined) return splitList(list, value);
  const scim = scimDataOf(current);
  const isSame = toCanonicalJson(value ?? []) === toCanonicalJson(showLists(current, scim)[list.name] ?? []);
  return isSame ? { main: current[list.field], items: toValidItems(list, memberOf(scim, list.name)) } : splitList(list, value);
}

// Splits a name into API fields, and the remaining parts as `name`.
function splitName(value: unknown): Members {
  const names = Object.entries(nameFields).map(([part, field]) => [field, trimmedText(memberOf(value, part))] as const);
  const others = ["honorificPrefix", "honorificSuffix"].map((part) => [part, memberOf(value, part)] as const);
  const name = withoutUndefined(Object.fromEntries(others));
  return { ...Object.fromEntries(names), name: Object.keys(name).length === 0 ? undefined : name };
}

// A user without a username is shown with the email address as `userName`: sent back, it must not become a username.
function toUsername(userName: unknown, email: string | undefined, current: User | undefined): string | undefined {
  const username = trimmedText(userName);
  if (username === undefined) throw new ScimError(400, "invalidValue", "`userName` must not be blank.");
  const hadNone = current !== undefined && trimmedText(current.username) === undefined;
  return hadNone && email !== undefined && foldEmailAddress(username) === foldEmailAddress(email) ? undefined : username;
}
