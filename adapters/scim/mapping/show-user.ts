import type { User } from "latchkey/types";
import { usedSchemas } from "../schema/read-resource.js";
import type { ResourceType, ScimResource } from "../schema/schemas.js";
import { showLanguage } from "./languages.js";
import { joinList, mainValueLists, toValidItems } from "./main-value.js";
import { showMeta } from "./meta.js";
import { scimDataOf, showExtensions, showVerbatim, trimmedText, withoutUndefined } from "./scim-data.js";
import { mappedUserAttributes, nameFields } from "./user-fields.js";
import { type Members, memberOf, toValidValue } from "./valid-value.js";

/** Parts of a user's resource that its record lacks. */
export interface UserPlace {
  readonly location: string;
  readonly type: ResourceType;
  /** Groups of the user with their URL as `location`. Default: none. */
  readonly groups?: readonly { readonly id: string; readonly name: string; readonly location: string }[];
}

/**
 * Converts a user to a SCIM resource by the default mapping, with all attributes except the password; `meta` has no version.
 * Without a username, `userName` is the email address. Never throws: leaves out values in `data.scim` that do not fit the schema.
 */
export function toScimUser(user: User, { location, type, groups = [] }: UserPlace): ScimResource {
  const scim = scimDataOf(user);
  const shown = withoutUndefined({
    id: user.id,
    ...showVerbatim(type, scim, mappedUserAttributes),
    userName: trimmedText(user.username) ?? trimmedText(user.email) ?? user.id,
    name: showName(user, type, scim),
    active: user.active,
    timezone: trimmedText(user.timezone),
    preferredLanguage: showLanguage(user, scim),
    ...showLists(user, scim),
    groups: groups.length === 0 ? undefined : groups.map(showGroup),
    ...showExtensions(type, scim),
    meta: showMeta(user, type, location),
  });
  return { schemas: usedSchemas(type, shown), ...shown };
}

function showName(user: User, type: ResourceType, scim: Members): Members | undefined {
  const attribute = type.schema.attributes.find(({ name }) => name === "name");
  const others = attribute && toValidValue(attribute, memberOf(scim, "name"));
  const mapped = Object.entries(nameFields).map(([part, field]) => [part, trimmedText(user[field])] as const);
  const name = withoutUndefined({ ...(others as Members | undefined), ...Object.fromEntries(mapped) });
  return Object.keys(name).length === 0 ? undefined : name;
}

/** Returns the lists of a user with a main value. */
export function showLists(user: User, scim: Members): Members {
  const lists = mainValueLists.map((list) => {
    const stored = { main: trimmedText(user[list.field]), items: toValidItems(list, memberOf(scim, list.name)) };
    return [list.name, joinList(list, stored)] as const;
  });
  return Object.fromEntries(lists);
}

function showGroup({ id, name, location }: NonNullable<UserPlace["groups"]>[number]): Members {
  return { value: id, $ref: location, display: name, type: "direct" };
}
