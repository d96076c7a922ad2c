import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { IdentityService, InjectedRequest, Principal } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { ApiRequest, ApiResponse } from "latchkey/ports";
import { expect, onTestFinished } from "vitest";
import document from "../../openapi.json" with { type: "json" };
import { routes } from "../../src/families/index.js";
import { RouteTable } from "../../src/http/route/match-route.js";
import { settingsWithoutEffect } from "../../src/operations/family/settings-without-effect.js";
import { parseOptions } from "../../src/options.js";
import { type DocumentPart, type DocumentSettings, narrowDocument } from "../../src/system/openapi-document.js";

type Options = Parameters<typeof parseOptions>[0];
type Check = (request: Pick<ApiRequest, "method" | "path">, response: ApiResponse) => string | undefined;

const checks = new Map<string, Check>();
/**
 * Operations with an optional body, which the document cannot express: they return none before 1.26.0, or to callers without a
 * key.
 */
const forAnybody = [
  "logins.forgotPassword",
  "logins.changePassword",
  "logins.changePasswordWithChangePasswordId",
  "verifications.resendEmail",
  "verifications.resendRegistration",
];
const mayBeEmpty = new Set(["twoFactor.enable", "twoFactor.enableWithUserId", "system.status", ...forAnybody]);

/** The statuses that matched the document in this process, by operation id. */
export const checkedAnswers: Map<string, Set<number>> = new Map();

/** A service that fails the test on any response that differs from openapi.json. */
export function conforming<Service extends IdentityService>(service: Service, options: Options): Service {
  const check = checkOf(parseOptions(options));
  const strays = new Set<string>();
  onTestFinished(() => expect([...strays]).toEqual([]));
  const note = (request: Pick<ApiRequest, "method" | "path">, response: ApiResponse | undefined): void => {
    const stray = response && check(request, response);
    if (stray !== undefined) strays.add(stray);
  };
  return Object.freeze({
    ...service,
    async handle(request: ApiRequest, principal?: Principal): Promise<ApiResponse | undefined> {
      const response = await service.handle(request, principal);
      note(request, response);
      return response;
    },
    async inject(request: InjectedRequest): Promise<ApiResponse> {
      const response = await service.inject(request);
      note({ method: (request.method ?? "GET").toUpperCase(), path: request.url.split("?")[0] ?? "" }, response);
      return response;
    },
  });
}

/** The difference between a response and the document, for a service with these options; undefined for none. */
export function findStray(
  options: Partial<Options>,
  request: Pick<ApiRequest, "method" | "path">,
  response: ApiResponse,
): string | undefined {
  return checkOf(parseOptions({ secret: "unused".repeat(8), ...options, storage: memoryStorage() }))(request, response);
}

function checkOf({ version, plan, names }: DocumentSettings): Check {
  const key = JSON.stringify([version, plan, names]);
  const check = checks.get(key) ?? createCheck({ version, plan, names });
  checks.set(key, check);
  return check;
}

function createCheck(settings: DocumentSettings): Check {
  const api = closed(narrowDocument(document, settings)) as DocumentPart;
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: true, allErrors: false });
  formats.default(ajv);
  ajv.addSchema(api, "api");
  const paths = new RouteTable(routes.filter(({ path, method }) => at(api, pointerOf(path, method)) !== undefined));
  return ({ method, path }, response) => {
    const match = paths.match(method, path);
    if (match?.kind !== "found" || method === "HEAD") return undefined;
    const pointer = pointerOf(match.route.path, method);
    const id = String(at(api, pointer)?.operationId);
    const shown = response.body.startsWith("{") ? { ...response, body: withoutInert(response.body, settings) } : response;
    const problem = findProblem(ajv, api, pointer, shown, mayBeEmpty.has(id));
    if (problem === undefined) checkedAnswers.set(id, (checkedAnswers.get(id) ?? new Set()).add(response.status));
    return problem && `${method} ${match.route.path} ${response.status}: ${problem}`;
  };
}

function pointerOf(path: string, method: string): readonly string[] {
  return ["paths", path.replace(/:(\w+)/g, "{$1}"), method.toLowerCase()];
}

/** Statuses that the document declares only as a range. */
const ranges: Readonly<Record<number, string>> = { 408: "4XX", 413: "4XX", 415: "4XX", 500: "5XX", 503: "5XX" };

function findProblem(
  ajv: Ajv2020,
  api: DocumentPart,
  pointer: readonly string[],
  response: ApiResponse,
  mayLackBody: boolean,
): string | undefined {
  const { status, headers, body, bytes, stream } = response;
  const all = at(api, [...pointer, "responses"]) ?? {};
  const name = String(status) in all ? String(status) : (ranges[status] ?? "");
  const declared = at(api, [...pointer, "responses", name]);
  if (declared === undefined) return `there is no such status ${body}`;
  const own = typeof declared.$ref === "string" ? declared.$ref.slice(2).split("/") : [...pointer, "responses", name];
  const content = at(api, [...own, "content"]);
  if (body === "" && bytes === undefined && stream === undefined)
    return content === undefined || mayLackBody || status === 500 ? undefined : "there is no body";
  if (content === undefined) return `there is a body: ${body}`;
  const type = String(headers["content-type"]).split(";")[0] ?? "";
  if (content[type] === undefined) return `it is ${type}`;
  if (type !== "application/json") return undefined;
  const fragment = [...own, "content", type, "schema"].map((part) =>
    encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")),
  );
  const validate = ajv.getSchema(`api#/${fragment.join("/")}`);
  if (validate === undefined) return "there is no schema";
  return validate(JSON.parse(body))
    ? undefined
    : `${ajv.errorsText(validate.errors)} ${JSON.stringify(validate.errors?.[0]?.params)} in ${body.slice(0, 2_000)}`;
}

// Returned unchanged, but not in the document (docs/reference/settings-without-effect.md).
function withoutInert(body: string, { names }: DocumentSettings): string {
  const answer = JSON.parse(body) as Record<string, unknown>;
  for (const [member, value] of Object.entries(answer))
    for (const { path } of settingsWithoutEffect(member.replace(/s$/, "")))
      for (const record of [value].flat())
        removeMember(record, path.replace(/^moderation/, names?.moderation ?? "moderation").split("."));
  return JSON.stringify(answer);
}

function removeMember(record: unknown, [name = "", ...rest]: readonly string[]): void {
  if (typeof record !== "object" || record === null) return;
  if (rest.length > 0) removeMember(Reflect.get(record, name), rest);
  else Reflect.deleteProperty(record, name);
}

function at(value: unknown, path: readonly string[]): DocumentPart | undefined {
  return path.reduce((part, name) => (part as DocumentPart | undefined)?.[name], value) as DocumentPart | undefined;
}

// The document allows unknown members for later versions; this version must send none.
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const isObject = copy.type === "object" || (typeof copy.properties === "object" && Array.isArray(copy.type));
  return isObject && copy.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy;
}
