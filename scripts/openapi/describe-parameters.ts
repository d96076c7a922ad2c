import type { Route } from "../../src/http/route/define-route.js";
import type { AnyOperation } from "../../src/operations/operation.js";
import type { Components } from "./components.js";
import { type JsonSchema, resolveRef } from "./json-schema.js";
import { queryMembers, withoutDryRun } from "./operation-notes.js";
import { boundAccesses, sharedParameters } from "./shared-components.js";

/** A route, its operation's name and the members of its input. */
export interface RouteInput {
  readonly route: Route<AnyOperation>;
  readonly name: string;
  readonly members: Readonly<Record<string, JsonSchema>>;
  /** Whether the operation answers one record, which has an ETag. */
  readonly isOfRecord: boolean;
}

/** Parameters whose names end like those of ids, and that are other texts. */
const secrets = new Set(["twoFactorId", "changePasswordId", "loginId", "twoFactorTrustId", "verificationId"]);

/** The parameters of a route: those of its path, of its query, and headers. */
export function describeParameters(components: Components, input: RouteInput): object[] {
  const { route, name, members } = input;
  const inPath = pathParametersOf(route.path);
  const inQuery = route.target.parameters.filter((parameter) => !inPath.includes(parameter));
  const more = name.endsWith(".search") && route.method === "GET" ? criteriaOf(components, members) : queried(input);
  return [
    ...inPath.map((parameter) => toParameter(components, "path", [parameter, members[parameter]])),
    ...inQuery.map((parameter) => toParameter(components, "query", [parameter, members[parameter]])),
    ...more.map((parameter) => toParameter(components, "query", parameter)),
    ...headersOf(components, input),
  ];
}

/** The names of the parameters in a path. */
export function pathParametersOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

function toParameter(
  components: Components,
  place: "path" | "query",
  [name, given = { type: "string" }]: readonly [name: string, schema?: JsonSchema | undefined],
): object {
  const { description, ...schema } = given;
  const isId = schema.type === "string" && /Id$/.test(name) && !secrets.has(name);
  const parameter = {
    name,
    in: place,
    ...(place === "path" && { required: true }),
    ...(description !== undefined && { description }),
    schema: isId ? { ...schema, format: "uuid" } : schema,
  };
  return components.keepParameter(place === "path" ? name : `${name}InQuery`, parameter);
}

// What a query can say: texts, numbers, flags, and lists of texts.
function criteriaOf(components: Components, { search }: RouteInput["members"]): [string, JsonSchema][] {
  const { properties = {} } = search === undefined ? {} : resolveRef(components.schemas, search);
  return Object.entries(properties).filter(([, schema]) => {
    const { type, enum: values, anyOf, items } = resolveRef(components.schemas, schema);
    const isList = type === "array" && items?.type === "string";
    return isList || values !== undefined || anyOf !== undefined || (type !== undefined && type !== "object" && type !== "array");
  });
}

function queried({ name, members }: RouteInput): [string, JsonSchema][] {
  return (queryMembers[name] ?? []).map((member) => [member, members[member] ?? {}]);
}

function headersOf(components: Components, { route, name, isOfRecord }: RouteInput): object[] {
  const keep = (key: string): object => components.keepParameter(key, sharedParameters[key] ?? {});
  const verb = name.split(".")[1] ?? "";
  const isChange = route.method !== "GET" && verb !== "search" && !route.target.bodyKinds.has("form");
  const mayBeDry = isChange && !withoutDryRun.has(name);
  return [
    ...(boundAccesses.has(route.access) ? [keep("TenantHeader")] : []),
    ...(isOfRecord && ["update", "patch", "remove", "restore", "upsert"].includes(verb) ? [keep("IfMatch")] : []),
    ...(isOfRecord && route.method === "GET" ? [keep("IfNoneMatch")] : []),
    ...(mayBeDry ? [keep("AuditReason"), keep("dryRun")] : []),
  ];
}
