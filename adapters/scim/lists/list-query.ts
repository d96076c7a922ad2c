import { isObject } from "../../internal/objects.js";
import type { Filter } from "../filter/filter.js";
import { namesAttribute } from "../filter/names-attribute.js";
import { parseFilter } from "../filter/parse-filter.js";
import { ScimError } from "../schema/errors.js";
import type { Projection } from "../schema/project.js";
import { resolvePath } from "../schema/resolve-path.js";
import type { AttributePath, ResourceType } from "../schema/schemas.js";
import type { ScimCall } from "../server/call.js";

/** The maximum number of resources in a response. */
export const maxResults = 1_000;

const defaultResults = 100;

/** The parameters of a list or a search (RFC 7644, 3.4.2), before its names are resolved. */
export interface ListRequest {
  readonly filter?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly isDescending: boolean;
  /** The position of the first resource, from 1 on. */
  readonly startIndex: number;
  /** From 0 to 1,000. */
  readonly count: number;
  readonly projection: Projection;
}

/** The parameters with names resolved for a resource type. */
export interface ListQuery extends Omit<ListRequest, "filter" | "sortBy"> {
  readonly filter?: Filter | undefined;
  readonly sortBy?: AttributePath | undefined;
}

/** URN of the schema of searches by POST. */
export const searchSchemaId = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";

/** Reads the parameters from the query of a GET, or from the body of a POST to `/.search`. Throws `ScimError` 400. */
export async function readListRequest(call: Pick<ScimCall, "query" | "readBody" | "request">): Promise<ListRequest> {
  const { query, readBody, request } = call;
  if (request.method !== "POST") return toListRequest((name) => query.get(name) ?? undefined);
  const body = await readBody();
  if (!isObject(body)) throw new ScimError(400, "invalidSyntax", "The body must be a JSON object.");
  const byName = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  return toListRequest((name) => byName.get(name.toLowerCase()) ?? undefined);
}

function toListRequest(get: (name: string) => unknown): ListRequest {
  const count = toWhole(get("count"), "count") ?? defaultResults;
  return {
    filter: toText(get("filter"), "filter"),
    sortBy: toText(get("sortBy"), "sortBy"),
    isDescending: String(get("sortOrder") ?? "").toLowerCase() === "descending",
    startIndex: Math.max(1, toWhole(get("startIndex"), "startIndex") ?? 1),
    count: Math.min(maxResults, Math.max(0, count)),
    projection: toProjection(get),
  };
}

function toText(value: unknown, name: string): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") return value;
  throw new ScimError(400, name === "filter" ? "invalidFilter" : "invalidValue", `\`${name}\` must be a text.`);
}

function toWhole(value: unknown, name: string): number | undefined {
  if (value === undefined || value === "") return undefined;
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && /^-?\d{1,9}$/.test(text)) return Number(text);
  throw new ScimError(400, "invalidValue", `\`${name}\` must be a whole number.`);
}

/** Returns the requested attributes (RFC 7644, 3.9). */
export function readProjection({ query }: Pick<ScimCall, "query">): Projection {
  return toProjection((name) => query.get(name) ?? undefined);
}

function toProjection(get: (name: string) => unknown): Projection {
  return { attributes: toNames(get("attributes")), excludedAttributes: toNames(get("excludedAttributes")) };
}

function toNames(value: unknown): readonly string[] {
  const names = Array.isArray(value) ? value : String(value ?? "").split(",");
  return names
    .map((name) => String(name).trim())
    .filter((name) => name !== "")
    .slice(0, 100);
}

/** Resolves a list request for a resource type. Throws `ScimError` 400 `invalidFilter` or `invalidPath`. */
export function resolveList(type: ResourceType, { filter, sortBy, ...rest }: ListRequest): ListQuery {
  const path = sortBy === undefined ? undefined : resolvePath(type, sortBy);
  if (sortBy !== undefined && path === undefined) throw new ScimError(400, "invalidPath", "`sortBy` names an unknown attribute.");
  return { ...rest, filter: filter === undefined ? undefined : parseFilter(type, filter), sortBy: path };
}

/** Whether the filter or the order of a query uses an attribute of the core schema. */
export function usesAttribute({ filter, sortBy }: ListQuery, name: string): boolean {
  const isSorted = sortBy !== undefined && sortBy.extension === undefined && sortBy.attribute.name === name;
  return isSorted || (filter !== undefined && namesAttribute(filter, name));
}

/** Returns the body of a list of resources. */
export function listResponse(resources: readonly object[], { total, startIndex }: { total: number; startIndex: number }): object {
  return {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    // RFC 7644 lets an empty list be omitted; clients read it all the same.
    Resources: resources,
  };
}
