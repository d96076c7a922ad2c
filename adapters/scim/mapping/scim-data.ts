import { isObject } from "../../internal/objects.js";
import { enterpriseSchemaId, type ResourceType, type ScimResource } from "../schema/schemas.js";
import { type Members, memberOf, toValidMembers, toValidValue } from "./valid-value.js";

/** Returns the member `scim` of a record's data, with the attributes that have no API field; `{}` when it is not an object. */
export function scimDataOf(record: { readonly data: unknown } | undefined): Members {
  const scim = memberOf(record?.data, "scim");
  return isObject(scim) ? scim : {};
}

/** Replaces the member `scim` in a record's data, or removes it when empty. Keeps the other members. */
export function withScimData(data: unknown, scim: Members): Record<string, unknown> {
  const { scim: _replaced, ...others } = isObject(data) ? data : {};
  const kept = withoutUndefined(scim);
  return Object.keys(kept).length === 0 ? others : { ...others, scim: kept };
}

/** Returns an object without its undefined members. */
export function withoutUndefined(members: Members): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Returns the attributes of the core schema, and `externalId`, that `data.scim` stores under their own names. */
export function showVerbatim(type: ResourceType, scim: Members, mapped: ReadonlySet<string>): Members {
  const shown: Record<string, unknown> = { externalId: toText(memberOf(scim, "externalId")) };
  for (const attribute of type.schema.attributes) {
    if (!mapped.has(attribute.name)) shown[attribute.name] = toValidValue(attribute, memberOf(scim, attribute.name));
  }
  return shown;
}

/** Returns the attributes of a resource that `data.scim` stores under their own names. */
export function storeVerbatim(type: ResourceType, resource: ScimResource, mapped: ReadonlySet<string>): Members {
  const names = type.schema.attributes.map(({ name }) => name).filter((name) => !mapped.has(name));
  return Object.fromEntries(["externalId", ...names].map((name) => [name, memberOf(resource, name)]));
}

/** Returns the extensions in `data.scim` by URN: Enterprise in `enterprise`, others in `extensions`. */
export function showExtensions(type: ResourceType, scim: Members): Members {
  const shown: Record<string, unknown> = {};
  for (const { schema } of type.extensions) shown[schema.id] = toValidMembers(schema.attributes, extensionIn(scim, schema.id));
  return withoutUndefined(shown);
}

function extensionIn(scim: Members, urn: string): unknown {
  return urn === enterpriseSchemaId ? memberOf(scim, "enterprise") : memberOf(memberOf(scim, "extensions"), urn);
}

/**
 * Returns the stored form of a resource's extensions. Keeps read-only attributes and undeclared extensions of `current`: clients
 * cannot name them.
 */
export function storeExtensions(type: ResourceType, resource: ScimResource, current: Members): Members {
  const declared = new Set(type.extensions.map(({ schema }) => schema.id));
  const stored = Object.entries(toObject(memberOf(current, "extensions")));
  const kept: Record<string, unknown> = Object.fromEntries(stored.filter(([urn]) => !declared.has(urn)));
  for (const { schema } of type.extensions) {
    const readOnly = schema.attributes.filter(({ mutability }) => mutability === "readOnly");
    const assigned = readOnly.map(({ name }) => [name, memberOf(extensionIn(current, schema.id), name)] as const);
    const members = { ...withoutUndefined(Object.fromEntries(assigned)), ...toObject(memberOf(resource, schema.id)) };
    if (Object.keys(members).length > 0) kept[schema.id] = members;
  }
  const { [enterpriseSchemaId]: enterprise, ...extensions } = kept;
  return { enterprise, extensions: Object.keys(extensions).length === 0 ? undefined : extensions };
}

function toObject(value: unknown): Members {
  return isObject(value) ? value : {};
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Trims a text, as the API stores it; undefined for a blank one and for other values. */
export function trimmedText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
