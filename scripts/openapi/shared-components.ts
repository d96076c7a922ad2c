import { fieldPlans } from "../../src/availability/availability.js";
import { behaviorVersions } from "../../src/availability/versions.js";
import { fieldErrorCodes, generalErrorCodes } from "../../src/errors/codes.js";
import type { Access } from "../../src/http/route/define-route.js";
import { type JsonSchema, refTo, type Schemas } from "./json-schema.js";

/** What the document has beside routes and their types: refusals, headers, and the ways to say who calls. */

const kinds = [...new Set([...Object.keys(fieldErrorCodes), ...Object.keys(generalErrorCodes)])].sort();

const textsOfActions = ["localizedName", "localizedOption", "localizedReason", "name", "option", "reason", "reasonCode"];

export const sharedSchemas: Schemas = {
  ErrorEntry: {
    type: "object",
    properties: {
      code: {
        type: "string",
        description: `\`[kind]\` or \`[kind]path\`; lambdas have kinds of their own. Kinds: ${kinds.join(", ")}.`,
      },
      message: { type: "string", description: "An English sentence; not part of the contract." },
      data: { description: "What a lambda says beside it; the `actions` that prevent a login." },
    },
    required: ["code", "message"],
  },
  Errors: {
    type: "object",
    description: "Why a request was refused.",
    properties: {
      fieldErrors: {
        ...refTo("FieldErrors"),
        description: "By the path of the field, which begins with the wrapper: `group.name`.",
      },
      generalErrors: { type: "array", items: refTo("ErrorEntry") },
    },
    required: ["fieldErrors", "generalErrors"],
  },
  LoginPreventingAction: {
    type: "object",
    properties: {
      actionId: { type: "string", format: "uuid" },
      actionerUserId: { type: "string", format: "uuid" },
      expiry: { type: "integer" },
      ...Object.fromEntries(textsOfActions.map((name) => [name, { type: "string" }])),
    },
    required: ["actionId", "actionerUserId", "expiry", "name"],
  },
  Conflict: {
    type: "object",
    description: "Why a request was refused, and the actions that prevent a login.",
    properties: {
      actions: { type: "array", items: refTo("LoginPreventingAction") },
      fieldErrors: refTo("FieldErrors"),
      generalErrors: { type: "array", items: refTo("ErrorEntry") },
    },
    required: ["fieldErrors", "generalErrors"],
  },
  OAuthError: {
    type: "object",
    description: "A refusal as OAuth puts it (RFC 6749, 5.2).",
    properties: {
      error: { type: "string" },
      error_description: { type: "string" },
      error_reason: { type: "string" },
    },
    required: ["error", "error_description", "error_reason"],
  },
  JSONPatch: {
    type: "array",
    description: "A JSON Patch (RFC 6902) of the request document; pointers begin with the wrapper: `/group/name`.",
    maxItems: 500,
    items: {
      type: "object",
      properties: {
        op: { type: "string", enum: ["add", "remove", "replace", "move", "copy", "test"] },
        path: { type: "string" },
        from: { type: "string" },
        value: {},
      },
      required: ["op", "path"],
    },
  },
};

const withErrors = { content: { "application/json": { schema: refTo("Errors") } } };

/** A response of the components. */
export type Response = Readonly<Record<string, unknown>>;

/** Refusals by their status, in the words of the error table. */
export const sharedResponses: Readonly<Record<string, Response>> = {
  OAuthError: {
    description: "The request is refused; the reason says why.",
    content: { "application/json": { schema: refTo("OAuthError") } },
  },
  304: { description: "What `If-None-Match` names is still so." },
  400: { description: "The request is refused; the codes say why.", ...withErrors },
  401: { description: generalErrorCodes.unauthorized.message("") },
  403: { description: generalErrorCodes.noMailTemplate.message(""), ...withErrors },
  404: { description: generalErrorCodes.notFound.message("") },
  405: { description: "The service's host keeps people in a directory of its own." },
  409: {
    description: "An action prevents the login, or the account is linked.",
    content: { "application/json": { schema: refTo("Conflict") } },
  },
  410: { description: generalErrorCodes.expired.message("") },
  412: { description: generalErrorCodes.preconditionFailed.message(""), ...withErrors },
  413: { description: generalErrorCodes.tooLarge.message(""), ...withErrors },
  421: { description: generalErrorCodes.wrongCode.message("") },
  422: { description: generalErrorCodes.noMailAddress.message(""), ...withErrors },
  423: { description: generalErrorCodes.locked.message("") },
  429: { description: generalErrorCodes.tooManyAttempts.message(""), ...withErrors },
  502: { description: "The other system that decides the login does not answer as it should.", ...withErrors },
  504: { description: generalErrorCodes.WebhookTransactionException.message(""), ...withErrors },
  "4XX": {
    description: [
      `408: ${generalErrorCodes.requestTimeout.message("")}`,
      `413: ${generalErrorCodes.tooLarge.message("")}`,
      `415: ${generalErrorCodes.UnsupportedContentEncoding.message("")}`,
    ].join(" "),
    ...withErrors,
  },
  "5XX": {
    description: `500, empty: ${generalErrorCodes.internal.message("")} 503: ${generalErrorCodes.storageUnavailable.message("")}`,
    ...withErrors,
  },
};

/** Headers of answers. */
export const sharedHeaders: Readonly<Record<string, object>> = {
  ETag: { description: "The version of the record, for `If-Match` and `If-None-Match`.", schema: { type: "string" } },
};

const uuid: JsonSchema = { type: "string", format: "uuid" };

/** Headers and the one query parameter that many operations take. */
export const sharedParameters: Readonly<Record<string, object>> = {
  TenantHeader: {
    name: "X-Service-TenantId",
    in: "header",
    description: "The tenant that the call is bound to. Required where several tenants exist and nothing else says which.",
    schema: uuid,
    "x-name": "service",
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "Refuse with 412 unless the record still has this ETag.",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "Answer 304 if the record still has this ETag.",
    schema: { type: "string" },
  },
  AuditReason: {
    name: "X-Audit-Reason",
    in: "header",
    description: "Why something is changed, for the audit log.",
    schema: { type: "string", maxLength: 1_000 },
  },
  dryRun: {
    name: "dryRun",
    in: "query",
    description: "Do everything, answer what would be stored, and undo it.",
    schema: { type: "boolean" },
  },
};

const dpopAvailability = { "x-since": behaviorVersions.boundTokens.since, "x-plan": fieldPlans.DPoP };

type SchemeName = "apiKey" | "basic" | "bearer" | "dpop" | "cookie";

/** The ways to say who calls. */
export const securitySchemes: Readonly<Record<SchemeName, object>> = {
  apiKey: { type: "apiKey", in: "header", name: "Authorization", description: "The API key alone, without a scheme." },
  basic: {
    type: "http",
    scheme: "basic",
    description: "User name `apikey`; the password is an API key.",
    "x-since": behaviorVersions.basicWithApiKey.since,
  },
  bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "An access token of a user or a client." },
  dpop: {
    type: "http",
    scheme: "dpop",
    description: "An access token that is bound to a key, with a proof in the header `DPoP` (RFC 9449).",
    ...dpopAvailability,
  },
  cookie: { type: "apiKey", in: "cookie", name: "access_token", description: "The cookie of a login." },
};

type Requirement = Readonly<Record<string, readonly []>>;

const anyOf = (...names: readonly SchemeName[]): readonly Requirement[] => names.map((name) => ({ [name]: [] }));
const byKey = anyOf("apiKey", "basic");
const byToken = anyOf("bearer", "dpop");
const byUser = [...byToken, ...anyOf("cookie")];

/** Who may call, by the access of the route. */
export const securityByAccess: Readonly<Record<Access, readonly Requirement[]>> = {
  tenant: [...byKey, ...byToken],
  global: [...byKey, ...byToken],
  shared: [...byKey, ...byToken],
  keyManager: byKey,
  tenantOrUser: [...byKey, ...byUser],
  user: byUser,
  token: byUser,
  local: [...byKey, ...byToken, {}],
  optional: [{}, ...byKey, ...byToken],
  optionalOrUser: [{}, ...byKey, ...byToken],
  public: [],
  client: [{}, ...byKey],
};

/** The accesses of routes that the tenant header binds. */
export const boundAccesses: ReadonlySet<Access> = new Set([
  "tenant",
  "shared",
  "keyManager",
  "tenantOrUser",
  "optional",
  "optionalOrUser",
  "client",
]);
