import { fieldPlans } from "../../src/availability/availability.js";
import { defaultVersion, endpointVersions } from "../../src/availability/versions.js";
import { serveFromDirectory } from "../../src/directory/host-operations.js";
import { familyOperations, routes } from "../../src/families/index.js";
import type { Route } from "../../src/http/route/define-route.js";
import type { AnyOperation } from "../../src/operations/operation.js";
import { annotate, mark } from "./annotate.js";
import { Components } from "./components.js";
import { addConstraints } from "./constraints.js";
import { correctRequired } from "./correct-required.js";
import { describeAnswers, describeBody, describeRefusals, membersOf } from "./describe-bodies.js";
import { describeParameters, pathParametersOf } from "./describe-parameters.js";
import { refTo } from "./json-schema.js";
import { refusals, summaryOf, withoutDryRun } from "./operation-notes.js";
import { type Notes, readNotes } from "./read-notes.js";
import { type OperationShape, readShapes } from "./read-shapes.js";
import { addExamples, recordExamples } from "./record-examples.js";
import { securityByAccess, securitySchemes, sharedHeaders, sharedResponses, sharedSchemas } from "./shared-components.js";

const summary = "The administrative API of an identity service. Members that are null count as absent.";

/** Of the document of all versions and plans: that of one service has no marks. */
const description =
  "What is marked with `x-since`, `x-until` or `x-plan` exists from that version of the reference on, until it, or from that plan on.";

/** What the document is made from. */
interface Sources {
  readonly components: Components;
  readonly shapes: ReadonlyMap<string, OperationShape>;
  readonly notes: Notes;
  readonly names: ReadonlyMap<AnyOperation, string>;
}

/** Makes the OpenAPI document of every route, in every version and plan. */
export async function makeDocument(): Promise<object> {
  const { shapes, definitions } = readShapes();
  const notes = readNotes();
  correctRequired(definitions, notes, shapes);
  for (const [name, { input }] of shapes) addConstraints(input, notes.operations.get(name)?.inputTypes ?? []);
  const sources = { components: new Components({ ...definitions, ...sharedSchemas }), shapes, notes, names: namesOfOperations() };
  const paths = describePaths(sources);
  const { schemas, parameters } = sources.components;
  const { calls, refusal } = await recordExamples();
  addExamples(paths, calls);
  annotate(schemas);
  return {
    openapi: "3.1.1",
    info: { title: "Latchkey", version: defaultVersion, summary, description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    tags: [...new Set([...sources.names.values()].map(familyOf))].map((name) => ({ name })),
    security: securityByAccess.tenant,
    paths,
    components: {
      securitySchemes,
      parameters: sorted(parameters),
      headers: sharedHeaders,
      responses: responsesWith(refusal),
      schemas: sorted(schemas),
    },
  };
}

function responsesWith(example: unknown): object {
  const refused = { content: { "application/json": { schema: refTo("Errors"), example } } };
  return { ...sharedResponses, 400: { ...sharedResponses[400], ...refused } };
}

function namesOfOperations(): ReadonlyMap<AnyOperation, string> {
  const names = new Map<AnyOperation, string>();
  for (const [family, operations] of Object.entries(familyOperations))
    for (const [verb, operation] of Object.entries(operations as Record<string, AnyOperation>))
      names.set(operation, `${family}.${verb}`);
  return names;
}

function describePaths(sources: Sources): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  const ids = new Set<string>();
  for (const route of routes) {
    const operation = describeRoute(sources, route);
    if (ids.has(operation.operationId)) throw new Error(`There are two operations ${operation.operationId}.`);
    ids.add(operation.operationId);
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return paths;
}

function describeRoute({ components, shapes, notes, names }: Sources, route: Route<AnyOperation>) {
  const name = names.get(route.target) ?? "";
  const shape = shapes.get(name);
  if (shape === undefined) throw new Error(`${route.method} ${route.path} leads to no operation of a family.`);
  const of = (verb: string): OperationShape | undefined => shapes.get(`${familyOf(name)}.${verb}`);
  const members = membersOf(components, shape.input);
  const body = describeBody(components, route, { name, shape, update: of("update") });
  const parameters = describeParameters(components, {
    route,
    name,
    members,
    isOfRecord: isOfRecord(shape, of("retrieve"), name),
  });
  // A list whose query names a record is that record's.
  const own = route.target.parameters[0] ?? "";
  const retrieve = name.endsWith(".list") && members[own] === undefined && !route.path.includes(own) ? of("retrieve") : undefined;
  const isUsual = JSON.stringify(securityByAccess[route.access]) === JSON.stringify(securityByAccess.tenant);
  const notesOfIt = notes.operations.get(name)?.description ?? "";
  const answers = describeAnswers(components, { name, shape }, retrieve);
  const operation = {
    operationId: operationIdOf(route, name),
    summary: summaryOf(name),
    ...(notesOfIt !== "" && { description: notesOfIt }),
    tags: [familyOf(name)],
    ...(!isUsual && { security: securityByAccess[route.access] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: { ...answers, ...describeRefusals(name, statusesOf(route, name, parameters), route.method !== "GET") },
  };
  mark(operation, availabilityOf(shapes, route, name));
  return operation;
}

function isOfRecord({ output }: OperationShape, retrieve: OperationShape | undefined, name: string): boolean {
  const isChanged = /\.(update|patch|remove|upsert)$/.test(name) && !/^(groupMembers|jwt)\./.test(name);
  return (
    isChanged ||
    name.endsWith(".list") ||
    name === "entityGrants.find" ||
    name === "system.openApi" ||
    (retrieve !== undefined && JSON.stringify(output) === JSON.stringify(retrieve.output))
  );
}

function statusesOf({ access, target }: Route<AnyOperation>, name: string, parameters: readonly object[]): number[] {
  const takes = (key: string): boolean => JSON.stringify(parameters).includes(`"#/components/parameters/${key}"`);
  // A directory of the host's answers reads, and has its own ways to write.
  const isLeftToHost = serveFromDirectory(target) !== target && !/\.(retrieve|find|list)$/.test(name);
  return [
    400,
    ...(access === "public" ? [] : [401]),
    ...(target.parameters.length > 0 ? [404] : []),
    ...(isLeftToHost ? [405] : []),
    ...(takes("IfMatch") ? [412] : []),
    ...(takes("IfNoneMatch") ? [304] : []),
    ...(takes("dryRun") && !withoutDryRun.has(name) ? [504] : []),
    ...(refusals[name] ?? []),
  ];
}

// The way to call an operation that has no other path in its name: without an id where it makes something, else with all of them.
function operationIdOf(route: Route<AnyOperation>, name: string): string {
  const others = routes.filter(({ target }) => target === route.target);
  const counts = others.map(({ path }) => pathParametersOf(path).length);
  const makes = name !== "logins.ping" && others.some(({ method }) => method === "POST");
  const wanted = makes ? Math.min(...counts) : Math.max(...counts);
  const main =
    others.find(({ path, method }) => pathParametersOf(path).length === wanted && method !== "GET") ??
    others.find(({ path }) => pathParametersOf(path).length === wanted);
  if (main === undefined || main === route) return name;
  const mine = pathParametersOf(route.path);
  const withMethod = `With${route.method.charAt(0)}${route.method.slice(1).toLowerCase()}`;
  if (mine.length === wanted) return name + withMethod;
  const named = mine.map((parameter) => parameter.charAt(0).toUpperCase() + parameter.slice(1)).join("And");
  if (makes) return `${name}With${named}`;
  return `${name}By${named === "" ? "Query" : named}${route.method === main.method ? "" : withMethod}`;
}

// What a plan does not include cannot be made or changed; what is there can be read and removed.
function availabilityOf(shapes: ReadonlyMap<string, OperationShape>, { method, endpoint }: Route<AnyOperation>, name: string) {
  const lifetime = { ...endpointVersions[endpoint], ...endpointVersions[`${method} ${endpoint}`] };
  const isWrite = method !== "GET" && method !== "DELETE" && !name.endsWith(".search");
  const body = shapes.get(name)?.input.properties ?? {};
  const created = shapes.get(`${familyOf(name)}.create`)?.input.properties ?? {};
  const wrapper = Object.keys({ ...body, ...created }).find((member) => fieldPlans[member] !== undefined);
  return isWrite && wrapper !== undefined ? { ...lifetime, plan: fieldPlans[wrapper] } : lifetime;
}

function familyOf(name: string): string {
  return name.split(".")[0] ?? "";
}

function sorted<Value>(map: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}
