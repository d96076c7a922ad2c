import { isObject } from "../../internal/objects.js";
import { ScimError, toErrorBody } from "../schema/errors.js";
import type { ScimCall, ScimResponse } from "../server/call.js";
import { toScimError } from "../server/responses.js";
import { orderOperations, replaceBulkIds, resolveBulkPath } from "./bulk-ids.js";
import { type BulkOperation, maxBulkOperations, type OperationRequest } from "./bulk-operation.js";

const bulkSchemaId = "urn:ietf:params:scim:api:messages:2.0:BulkRequest";
const bulkResponseId = "urn:ietf:params:scim:api:messages:2.0:BulkResponse";

/**
 * POST /Bulk: runs each operation separately, those that others reference by `bulkId` first. After `failOnErrors` failures, the
 * response omits the remaining operations.
 */
export async function runBulk(call: ScimCall, run: (request: OperationRequest) => Promise<ScimResponse>): Promise<ScimResponse> {
  const { failOnErrors, operations } = readBulk(await call.readBody());
  const bulk: BulkRun = { call, run, ids: new Map() };
  const results = new Map<BulkOperation, object>();
  let failures = 0;
  for (const operation of orderOperations(operations)) {
    const { isFailed, result } = await runOne(bulk, operation);
    results.set(operation, result);
    if (isFailed) failures += 1;
    if (failures >= failOnErrors) break;
  }
  const answers = operations.flatMap((operation) => results.get(operation) ?? []);
  return { status: 200, body: { schemas: [bulkResponseId], Operations: answers } };
}

interface BulkRun {
  readonly call: ScimCall;
  readonly run: (request: OperationRequest) => Promise<ScimResponse>;
  /** The ids of created resources by `bulkId`. */
  readonly ids: Map<string, string>;
}

async function runOne(
  { call, ids, run }: BulkRun,
  { bulkId, ...request }: BulkOperation,
): Promise<{ readonly isFailed: boolean; readonly result: object }> {
  const named = { method: request.method, ...(bulkId !== undefined && { bulkId }) };
  try {
    const path = resolveBulkPath(request.path, ids);
    const { headers, status } = await run({ ...request, path, data: replaceBulkIds(request.data, ids) });
    const location = headers?.location ?? `${call.root}${path}`;
    const id = location.split("/").at(-1) ?? "";
    if (bulkId !== undefined) ids.set(bulkId, id);
    const version = headers?.etag;
    return { isFailed: false, result: { ...named, location, ...(version !== undefined && { version }), status: String(status) } };
  } catch (error) {
    const refusal = toScimError(error);
    const known = refusal ?? new ScimError(500, undefined, "The server failed. Its log has the reason.");
    const location = request.method === "POST" ? {} : { location: `${call.root}${request.path}` };
    return { isFailed: true, result: { ...named, ...location, status: String(known.status), response: toErrorBody(known) } };
  }
}

interface BulkRequest {
  /** Unlimited by default. */
  readonly failOnErrors: number;
  readonly operations: readonly BulkOperation[];
}

function readBulk(body: unknown): BulkRequest {
  const members = lowerCased(body, "The body");
  const schemas = members.get("schemas");
  if (!Array.isArray(schemas) || !schemas.includes(bulkSchemaId))
    throw new ScimError(400, "invalidSyntax", `\`schemas\` must contain "${bulkSchemaId}".`);
  const operations = members.get("operations");
  if (!Array.isArray(operations)) throw new ScimError(400, "invalidSyntax", "`Operations` must be a list.");
  if (operations.length > maxBulkOperations)
    throw new ScimError(413, undefined, `A bulk request has at most ${maxBulkOperations} operations.`);
  const failOnErrors = members.get("failonerrors") ?? Number.MAX_SAFE_INTEGER;
  if (typeof failOnErrors !== "number" || !Number.isInteger(failOnErrors) || failOnErrors < 1)
    throw new ScimError(400, "invalidValue", "`failOnErrors` must be a whole number from 1 on.");
  return { failOnErrors, operations: operations.map(readOperation) };
}

function readOperation(given: unknown): BulkOperation {
  const members = lowerCased(given, "An operation");
  const [method, path, bulkId, version] = ["method", "path", "bulkid", "version"].map((name) => {
    const value = members.get(name);
    if (value === undefined || typeof value === "string") return value;
    throw new ScimError(400, "invalidSyntax", `\`${name}\` of an operation must be a text.`);
  });
  const upper = method?.toUpperCase() ?? "";
  if (!["POST", "PUT", "PATCH", "DELETE"].includes(upper))
    throw new ScimError(400, "invalidSyntax", "`method` of an operation must be POST, PUT, PATCH or DELETE.");
  if (path === undefined || !path.startsWith("/"))
    throw new ScimError(400, "invalidSyntax", "`path` of an operation must begin with a slash.");
  if (upper === "POST" && bulkId === undefined)
    throw new ScimError(400, "invalidSyntax", "A POST in a bulk request needs a `bulkId`.");
  return { method: upper, path, bulkId, version, data: members.get("data") };
}

function lowerCased(value: unknown, what: string): ReadonlyMap<string, unknown> {
  if (!isObject(value)) throw new ScimError(400, "invalidSyntax", `${what} must be a JSON object.`);
  return new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
}
