import { behaviorVersions } from "../../src/availability/versions.js";
import { familyOperations } from "../../src/families/index.js";
import type { Route } from "../../src/http/route/define-route.js";
import type { AnyOperation } from "../../src/operations/operation.js";
import type { Components } from "./components.js";
import { pathParametersOf } from "./describe-parameters.js";
import { type JsonSchema, refTo, resolveRef } from "./json-schema.js";
import { bodyParametersOf, singularOf, successes, textAnswers } from "./operation-notes.js";
import { toPatchSchema } from "./patch-schema.js";
import type { OperationShape } from "./read-shapes.js";
import { sharedResponses } from "./shared-components.js";

/** An operation by its name and shape. */
export interface NamedOperation {
  readonly name: string;
  readonly shape: OperationShape;
}

/** `GroupUpdate` of `groups.update`. */
export function baseNames(name: string): readonly [singular: string, withVerb: string] {
  const [family = "", verb = ""] = name.split(".");
  const singular = upperFirst(singularOf(family));
  return [singular, singular + upperFirst(verb)];
}

/** The body of a route; undefined where it takes none. `update` is the operation whose body a patch changes. */
export function describeBody(
  components: Components,
  route: Route<AnyOperation>,
  { name, shape, update }: NamedOperation & { readonly update: OperationShape | undefined },
): object | undefined {
  if (route.method === "GET") return undefined;
  const { streamedBody } = route.target;
  if (streamedBody !== undefined) {
    const description = "A user of the import call on each line, or a CSV whose header names the members of one.";
    const content = Object.fromEntries(streamedBody.types.map((type) => [type, { schema: { type: "string", description } }]));
    return { required: true, content };
  }
  const [singular, withVerb] = baseNames(name);
  if (route.target.bodyKinds.has("jsonPatch")) return describePatch(components, singular, update);
  const own = withoutMembers(shape.input, route.target.parameters);
  const schema = withOptionalMembers(own, namedInBody(components, route, { name, shape }));
  if (!hasMembers(schema)) return undefined;
  const kept = components.keepSchema(
    schema,
    ...(/\.(create|update)$/.test(name) ? [`${singular}Request`] : []),
    `${withVerb}Request`,
    `${withVerb}RequestWith${pathParametersOf(route.path).map(upperFirst).join("And")}`,
  );
  const type = route.target.bodyKinds.has("form") ? "application/x-www-form-urlencoded" : "application/json";
  const isRequired = (schema.required ?? []).length > 0 || schema.anyOf !== undefined;
  return { ...(isRequired && { required: true }), content: { [type]: { schema: kept } } };
}

// Parameters that the body may name in place of the query; those of the path are there already.
function namedInBody(
  components: Components,
  route: Route<AnyOperation>,
  { name, shape }: NamedOperation,
): Record<string, JsonSchema> {
  const inPath = pathParametersOf(route.path);
  const names = bodyParametersOf(name, route.method).filter(
    (one) => route.target.parameters.includes(one) && !inPath.includes(one),
  );
  const members = membersOf(components, shape.input);
  return Object.fromEntries(names.map((one) => [one, members[one] ?? { type: "string" }]));
}

function withOptionalMembers(schema: JsonSchema, members: Record<string, JsonSchema>): JsonSchema {
  if (Object.keys(members).length === 0) return schema;
  const { properties = {} } = schema;
  return { ...schema, type: "object", properties: { ...properties, ...members } };
}

function describePatch(components: Components, singular: string, update: OperationShape | undefined): object {
  const document =
    update &&
    withoutMembers(
      update.input,
      Object.keys(update.input.properties ?? {}).filter((name) => /Id$|^reactivate$/.test(name)),
    );
  const patch = document === undefined ? { type: "object" } : toPatchSchema(components.schemas, document);
  const schema = components.keepSchema(patch, `${singular}Patch`);
  const { since } = behaviorVersions.patchDocuments;
  return {
    required: true,
    content: {
      "application/json": { schema },
      "application/merge-patch+json": { schema, "x-since": since },
      "application/json-patch+json": { schema: refTo("JSONPatch"), "x-since": since },
    },
  };
}

/** The answers of a route to what succeeds. `retrieve` is the operation that it stands for when its query names a record. */
export function describeAnswers(
  components: Components,
  { name, shape }: NamedOperation,
  retrieve: OperationShape | undefined,
): Record<string, object> {
  const statuses = successes[name] ?? { 200: "" };
  if (textAnswers[name] === "application/zip")
    return { 200: toAnswer("A file.", { type: "string", format: "binary" }, textAnswers[name]) };
  if (/ndjson|event-stream/.test(textAnswers[name] ?? ""))
    return { 200: toAnswer("A stream.", { type: "string" }, textAnswers[name]) };
  // Where each status has a schema of its own, that of the operation's type is of no use.
  const kept = Object.values(statuses).includes("") ? keepAnswer(components, name, shape) : undefined;
  const alternative = retrieve && keepAnswer(components, name.replace(".list", ".retrieve"), retrieve);
  const schema = alternative === undefined ? kept : { anyOf: [kept ?? {}, alternative] };
  const answers = Object.entries(statuses).map(([status, named]) => {
    const ofStatus = named === "" ? schema : named === null ? undefined : refTo(named);
    return [status, toAnswer(answerTexts[status] ?? "Done.", ofStatus, textAnswers[name])] as const;
  });
  return Object.fromEntries(answers);
}

function keepAnswer(components: Components, name: string, { output }: OperationShape): JsonSchema | undefined {
  const [singular, withVerb] = baseNames(name);
  if (output?.type !== "object") return output;
  const shared = /\.(create|retrieve|update|patch|find|generate|import)$/.test(name) ? [`${singular}Response`] : [];
  return components.keepSchema(output, ...shared, `${withVerb}Response`);
}

const answerTexts: Readonly<Record<string, string>> = {
  202: "Accepted: what is left follows, or the user has no registration to the application.",
  203: "The password must be changed first.",
  212: "The email must be verified first.",
  213: "The registration must be verified first.",
  232: "The account is linked to nobody.",
  242: "A second factor is needed.",
  452: "The storage does not answer.",
};

function toAnswer(description: string, schema: JsonSchema | undefined, mediaType = "application/json"): object {
  const headers = isOneRecord(schema) ? { headers: { ETag: { $ref: "#/components/headers/ETag" } } } : undefined;
  return schema === undefined ? { description } : { description, ...headers, content: { [mediaType]: { schema } } };
}

// As those of create, retrieve, update and patch, whose schema they share.
function isOneRecord(schema: JsonSchema | undefined): boolean {
  const name = schema?.$ref?.split("/").at(-1) ?? "";
  return /Response$/.test(name) && recordResponses.has(name.slice(0, -"Response".length));
}

const recordResponses: ReadonlySet<string> = new Set(
  Object.entries(familyOperations).flatMap(([family, operations]) =>
    "patch" in (operations as object) ? [upperFirst(singularOf(family))] : [],
  ),
);

/** The refusals of a route, by status. What each may meet, for a body and by the service, is said once, as a range of statuses. */
export function describeRefusals(name: string, statuses: readonly number[], hasBody: boolean): Record<string, object> {
  const ranges = [...(hasBody ? ["4XX"] : []), "5XX"];
  const known = [...[...new Set(statuses)].sort((a, b) => a - b), ...ranges];
  const responseOf = (status: number | string): string =>
    isOAuth(name) && (status === 400 || status === 401) ? "OAuthError" : String(status);
  for (const status of known)
    if (sharedResponses[responseOf(status)] === undefined) throw new Error(`${status} has no description.`);
  return Object.fromEntries(known.map((status) => [status, { $ref: `#/components/responses/${responseOf(status)}` }]));
}

function isOAuth(name: string): boolean {
  return name === "oauth2.token" || name === "oauth2.introspect";
}

/** The members of an object, or of all of which it is one. */
export function membersOf(components: Components, schema: JsonSchema): Record<string, JsonSchema> {
  const { properties = {}, anyOf = [] } = resolveRef(components.schemas, schema);
  return Object.assign({}, ...anyOf.map((one) => membersOf(components, one)), properties);
}

function withoutMembers(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (schema.anyOf !== undefined) return { ...schema, anyOf: schema.anyOf.map((one) => withoutMembers(one, names)) };
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name));
  const required = (schema.required ?? []).filter((name) => !names.includes(name));
  const { required: _required, ...others } = schema;
  return { ...others, properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

function hasMembers({ properties = {}, anyOf = [] }: JsonSchema): boolean {
  return Object.keys(properties).length > 0 || anyOf.some(hasMembers);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
