import { isObject } from "../../internal/objects.js";
import { commonAttributes } from "./common-attributes.js";
import { ScimError } from "./errors.js";

import { pathTo, resolvePath, resolveSchema, subPath } from "./resolve-path.js";
import type { AttributePath, ResourceType, ScimAttribute, ScimResource } from "./types.js";

/** The requested attributes (RFC 7644, 3.9): names in any case. */
export interface Projection {
  /** The only attributes to return, besides the always returned ones; undefined or empty for the default ones. */
  readonly attributes?: readonly string[] | undefined;
  /** Attributes to omit from the default ones. Not together with `attributes`. */
  readonly excludedAttributes?: readonly string[] | undefined;
}

/**
 * Returns a resource with the attributes of the response. Keeps `returned: always`, removes `never`; `request` needs its name in
 * `attributes`. Ignores unknown names. Throws `ScimError` 400 `invalidValue` when both lists are given.
 */
export function projectResource(type: ResourceType, resource: ScimResource, projection: Projection = {}): ScimResource {
  const { attributes = [], excludedAttributes = [] } = projection;
  if (attributes.length > 0 && excludedAttributes.length > 0) {
    throw new ScimError(400, "invalidValue", "Give `attributes` or `excludedAttributes`, not both.");
  }
  const isShown = toRule(type, projection);
  const core = projectMembers([...commonAttributes, ...type.schema.attributes], { values: resource, isShown });
  for (const { schema } of type.extensions) {
    const values = resource[schema.id];
    if (!isObject(values)) continue;
    const shown = projectMembers(schema.attributes, { values, isShown, extension: schema.id });
    if (Object.keys(shown).length > 0) core[schema.id] = shown;
  }
  return core;
}

/** Whether a response contains an attribute. Call it before reading expensive ones, such as the members of a group. */
export function isReturned(type: ResourceType, name: string, projection: Projection = {}): boolean {
  const path = resolvePath(type, name);
  if (path === undefined) return false;
  return shows(toRule(type, projection), path);
}

// The named attributes; a schema stands for all of its attributes.
function pathsOf(type: ResourceType, names: readonly string[]): readonly AttributePath[] {
  return names.flatMap((name) => {
    const schema = resolveSchema(type, name.trim());
    if (schema === undefined) return resolvePath(type, name.trim()) ?? [];
    const extension = schema === type.schema ? undefined : schema.id;
    return schema.attributes.map((attribute) => pathTo(attribute, extension));
  });
}

function toRule(type: ResourceType, { attributes = [], excludedAttributes = [] }: Projection): Rule {
  return attributes.length > 0 ? includes(pathsOf(type, attributes)) : excludes(pathsOf(type, excludedAttributes));
}

type Rule = (path: AttributePath) => boolean;

// A sub-attribute is shown with its attribute; an attribute is shown with one of its sub-attributes.
function includes(paths: readonly AttributePath[]): Rule {
  const named = new Set(paths.map(({ text }) => text));
  const parents = new Set(paths.map(({ attribute, extension }) => pathTo(attribute, extension).text));
  return ({ text, attribute, sub, extension }) => {
    if (sub === undefined) return parents.has(text);
    return named.has(text) || named.has(pathTo(attribute, extension).text);
  };
}

function excludes(paths: readonly AttributePath[]): Rule {
  const named = new Set(paths.map(({ text }) => text));
  return (path) => !named.has(path.text) && (path.sub ?? path.attribute).returned === "default";
}

function shows(isShown: Rule, path: AttributePath): boolean {
  const { returned } = path.sub ?? path.attribute;
  return returned === "always" || (returned !== "never" && isShown(path));
}

interface Members {
  readonly values: ScimResource;
  readonly isShown: Rule;
  readonly extension?: string;
}

function projectMembers(attributes: readonly ScimAttribute[], { values, isShown, extension }: Members): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const attribute of attributes) {
    const path = pathTo(attribute, extension);
    const value = values[attribute.name];
    if (value === undefined || !shows(isShown, path)) continue;
    shown[attribute.name] = projectValue(path, value, isShown);
  }
  return shown;
}

function projectValue(path: AttributePath, value: unknown, isShown: Rule): unknown {
  if (path.attribute.type !== "complex") return value;
  const names = (path.attribute.subAttributes ?? []).map(({ name }) => name).filter((name) => showsPart(path, name, isShown));
  return Array.isArray(value) ? value.map((item) => pick(item, names)) : pick(value, names);
}

function showsPart(path: AttributePath, name: string, isShown: Rule): boolean {
  const part = subPath(path, name);
  return part !== undefined && shows(isShown, part);
}

function pick(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value;
  const picked: Record<string, unknown> = {};
  for (const name of names) if (value[name] !== undefined) picked[name] = value[name];
  return picked;
}
