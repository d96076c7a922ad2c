import { foldText } from "latchkey/ports";
import { matches, valuesAt } from "../filter/match.js";
import { ScimError } from "../schema/errors.js";
import { projectResource } from "../schema/project.js";
import type { AttributePath, ScimResource } from "../schema/schemas.js";
import type { ScimResponse, TypeCall } from "../server/call.js";
import { withVersion } from "../server/versions.js";
import { type ListQuery, listResponse } from "./list-query.js";

/** A page of records to read. */
export interface PageRequest {
  readonly limit: number;
  /** From 0; ignored with `next`. */
  readonly start: number;
  /** An order with an index in the storage. */
  readonly orderBy: string;
  /** The cursor from the previous page. */
  readonly next?: string | undefined;
}

/** A page of records. */
export interface ResourcePage<Stored> {
  readonly records: readonly Stored[];
  /** The total of all pages. */
  readonly total: number;
  readonly next?: string | undefined;
}

/** The source of a list's resources. */
export interface ListSource<Stored> {
  /** Whether the storage finds exactly the matching resources. */
  readonly isExact: boolean;
  /** The storage order that equals the requested one; undefined without one. */
  readonly orderBy: string | undefined;
  /** Whether the resources have all attributes that their version depends on. */
  readonly isVersioned: boolean;
  readonly read: (page: PageRequest) => Promise<ResourcePage<Stored>>;
  /** Converts records with the attributes of the response. */
  readonly show: (records: readonly Stored[]) => Promise<readonly ScimResource[]>;
  /** Converts records with the attributes that the filter and the order use. */
  readonly showForFilter: (records: readonly Stored[]) => Promise<readonly ScimResource[]>;
}

/** The maximum number of resources to evaluate when the storage cannot filter or sort. */
const maxLookedAt = 10_000;

const pageSize = 500;

/**
 * Returns a list of resources. Evaluates filters and orders without an index over at most 10,000 candidates. Throws `ScimError`
 * 400 `tooMany` above (RFC 7644, 3.12).
 */
export async function listResources<Stored>(call: TypeCall, query: ListQuery, source: ListSource<Stored>): Promise<ScimResponse> {
  const { startIndex } = query;
  const { resources, total } = await findResources(query, source);
  const versioned = source.isVersioned ? resources.map(withVersion) : resources;
  const shown = versioned.map((resource) => projectResource(call.type, resource, query.projection));
  return { status: 200, body: listResponse(shown, { total, startIndex }) };
}

interface FoundResources {
  readonly resources: readonly ScimResource[];
  readonly total: number;
}

async function findResources<Stored>(query: ListQuery, source: ListSource<Stored>): Promise<FoundResources> {
  const { count, isDescending, startIndex } = query;
  const { isExact, orderBy, read, show } = source;
  if (!isExact || orderBy === undefined) return lookAtAll(query, source);
  const order = `${orderBy} ${isDescending ? "DESC" : "ASC"}`;
  const { records, total } = await read({ limit: count, start: startIndex - 1, orderBy: order });
  return { resources: await show(records), total };
}

async function lookAtAll<Stored>(query: ListQuery, source: ListSource<Stored>): Promise<FoundResources> {
  const { count, filter, sortBy, startIndex } = query;
  const found: Candidate<Stored>[] = [];
  let next: string | undefined;
  do {
    const page: ResourcePage<Stored> = await source.read({ limit: pageSize, start: 0, orderBy: "insertInstant ASC", next });
    if (page.total > maxLookedAt) throw tooMany();
    const resources = await source.showForFilter(page.records);
    for (const [place, record] of page.records.entries()) {
      const resource = resources[place] ?? {};
      if (filter !== undefined && !matches(filter, resource)) continue;
      found.push({ record, key: sortBy && toKey(sortBy, preferred(valuesAt(sortBy, resource))) });
    }
    next = page.next;
  } while (next !== undefined);
  const sorted = sortBy === undefined ? found : found.toSorted(byKey(query.isDescending));
  const page = sorted.slice(startIndex - 1, startIndex - 1 + count).map(({ record }) => record);
  return { resources: await source.show(page), total: found.length };
}

interface Candidate<Stored> {
  readonly record: Stored;
  readonly key: SortKey;
}

type SortKey = string | number | undefined;

function tooMany(): ScimError {
  const rule = `A filter or order without an index looks at no more than ${maxLookedAt} resources.`;
  return new ScimError(400, "tooMany", `${rule} Add a condition with an index, such as on userName, externalId or displayName.`);
}

// Resources without a value come last in ascending order (RFC 7644, 3.4.2.3).
function byKey(isDescending: boolean): (one: { readonly key: SortKey }, other: { readonly key: SortKey }) => number {
  return (one, other) => (isDescending ? -1 : 1) * compareKeys(one.key, other.key);
}

// The primary value counts, else the first.
function preferred(values: readonly unknown[]): unknown {
  return values.find((value) => (value as { readonly primary?: unknown } | null)?.primary === true) ?? values[0];
}

function toKey({ attribute, sub }: AttributePath, value: unknown): SortKey {
  const plain = typeof value === "object" && value !== null ? (value as { readonly value?: unknown }).value : value;
  if (typeof plain === "string") return (sub ?? attribute).caseExact ? plain : foldText(plain);
  if (typeof plain === "number") return plain;
  return typeof plain === "boolean" ? Number(plain) : undefined;
}

function compareKeys(one: SortKey, other: SortKey): number {
  if (one === other) return 0;
  if (one === undefined) return 1;
  if (other === undefined) return -1;
  return one < other ? -1 : 1;
}
