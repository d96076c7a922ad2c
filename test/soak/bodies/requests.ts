import {
  type BodyField,
  type BodyOperation,
  bodyOperations,
  type DescribedCall,
  describedCalls,
  largeValues,
  withTextAt,
} from "../../support/body-fields.ts";
import { distinctValues } from "./distinct-values.ts";
import { type Family, familyOf, idOf, someIdOf } from "./ids.ts";
import { legalBody } from "./legal-bodies.ts";
import { jsonPatches } from "./patch-documents.ts";

/** One request of the soak. */
export interface SoakRequest {
  /** What it is, for whoever reads the report. */
  readonly note: string;
  readonly method: string;
  /** Each number gives other unique values, so that a request can be sent again. */
  readonly toUrl: (number: number) => string;
  readonly type?: string;
  readonly toText?: (number: number) => string;
}

const json = "application/json";
/** The most that the service reads of a body. */
export const maxBytes = 1_048_576;
/** The same of a call without a credential. */
export const anonymousBytes = 131_072;

/** Requests with bodies: for each operation and each list, map and text of it, what is largest and what is most wrong. */
export function* bodyRequests(bytes: number = maxBytes): Iterable<SoakRequest> {
  for (const operation of bodyOperations()) {
    const { method, name, path } = operation;
    const toUrl = toUrlOf(method, path, queryOf(method, path));
    for (const field of operation.fields)
      for (const [value, toValue] of valuesOf(field, bytes)) {
        const note = `${method} ${path} (${name}) ${field.path.join(".")} ${field.kind}: ${value}`;
        const toText = (number: number): string => bodyText(operation, field, number, toValue(number));
        yield { note, method, toUrl, type: method === "PATCH" ? "application/merge-patch+json" : json, toText };
      }
    if (method !== "PATCH") continue;
    for (const [value, type, text] of jsonPatches(legalBody(method, path, 0)))
      yield { note: `${method} ${path} (${name}) ${value}`, method, toUrl, type, toText: () => text };
  }
}

function* valuesOf(field: BodyField, bytes: number): Iterable<readonly [name: string, toValue: (number: number) => string]> {
  for (const [name, value] of Object.entries(largeValues(field, bytes - 2_000))) yield [name, value];
  yield* distinctValues(field, bytes - 2_000);
}

function bodyText(operation: BodyOperation, { path }: BodyField, number: number, value: string): string {
  const legal = operation.method === "PATCH" ? {} : legalBody(operation.method, operation.path, number);
  const at = path[0] === "members" && path[1] === "key" ? ["members", someIdOf("group", number), ...path.slice(2)] : path;
  return withTextAt(legal, at, value);
}

function queryOf(method: string, path: string): readonly string[] {
  return describedCalls().find((call) => call.method === method && call.path === path)?.query ?? [];
}

const acts = /\/(registration|send|two-factor|login|change-password|test|grant|describe|validate)(\/|$)/;

/** The URL of an operation, with the ids of records; a POST that makes a record takes a new one. */
function toUrlOf(method: string, path: string, query: readonly string[]): (number: number) => string {
  const isNew = method === "POST" && path.endsWith("}") && !acts.test(path);
  const named = method === "PUT" || method === "PATCH" ? query.filter((name) => familyIn(path, name) !== undefined) : [];
  const end =
    named.length === 0 || path.includes("{") ? "" : `?${named.map((name) => `${name}=${recordId(path, name)}`).join("&")}`;
  return (number) => {
    const known = path.replaceAll(/\{(\w+)\}/g, (part, name: string) =>
      isNew && path.endsWith(part) ? idOf("stranger", number) : recordId(path, name),
    );
    return known + end;
  };
}

function recordId(path: string, name: string): string {
  const family = familyIn(path, name) ?? "stranger";
  // The first keys are those that the soak calls with.
  return idOf(family, family === "apiKey" ? 2 : 0);
}

function familyIn(path: string, name: string): Family | undefined {
  return path.startsWith("/api/api-key") && name === "keyId" ? "apiKey" : name.endsWith("Id") ? familyOf(name) : undefined;
}

const headerBytes = 12_000;

/** Reads of every operation as they are by default, with the largest pages, and with a long text in each parameter. */
export function* readRequests(): Iterable<SoakRequest> {
  for (const call of describedCalls()) if (call.method === "GET") yield* readsOf(call);
}

function* readsOf({ method, path, query }: DescribedCall): Iterable<SoakRequest> {
  const plain = toUrlOf(method, path, [])(0);
  const read = (what: string, search: string): SoakRequest => ({
    note: `${method} ${path} ${what}`,
    method,
    toUrl: () => (search === "" ? plain : `${plain}?${search}`),
  });
  yield read("by default", "");
  if (query.includes("numberOfResults")) {
    yield read("the largest page", "numberOfResults=100000&queryString=*");
    yield read("the last page", "numberOfResults=25&startRow=9900&queryString=*");
  }
  for (const name of query) {
    if (familyIn(path, name) !== undefined) yield read(`of ${name}`, `${name}=${recordId(path, name)}`);
    for (const text of ["x", "%2A", "a%2A", "%C3%A9", "%28"])
      yield read(`${name} full of ${text}`, `${name}=${text.repeat(headerBytes / text.length)}`);
    const ids = Array.from({ length: 250 }, (_, index) => `${name}=${idOf(familyOf(name) ?? "user", index)}`);
    yield read(`${name} 250 times`, ids.join("&"));
  }
}

/** Removals of what very many others refer to, of tenants last. */
export function* removalRequests(): Iterable<SoakRequest> {
  const order = ["/api/group/member", "/api/group", "/api/user", "/api/application", "/api/entity", ""];
  const rank = ({ path }: DescribedCall): number =>
    path.startsWith("/api/tenant") ? order.length : order.findIndex((start) => path.startsWith(start));
  const calls = describedCalls().filter(({ method }) => method === "DELETE");
  for (const { method, path, query } of calls.toSorted((a, b) => rank(a) - rank(b))) {
    const names = path.includes("{") ? [] : query.filter((name) => familyIn(path, name) !== undefined);
    const plain =
      toUrlOf(method, path, [])(0) +
      (names.length === 0 ? "" : `?${names.map((name) => `${name}=${recordId(path, name)}`).join("&")}`);
    const toUrl = (end: string) => () => (end === "" ? plain : `${plain}${plain.includes("?") ? "&" : "?"}${end}`);
    if (query.includes("dryRun"))
      yield { note: `${method} ${path} dry run`, method, toUrl: toUrl("dryRun=true&hardDelete=true") };
    yield { note: `${method} ${path}`, method, toUrl: toUrl("") };
    if (query.includes("hardDelete")) yield { note: `${method} ${path} hardDelete`, method, toUrl: toUrl("hardDelete=true") };
  }
}
