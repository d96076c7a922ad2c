// Puts a script into every text field of every family.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { IdentityService } from "latchkey";
import { toPasskey } from "./passkey.js";

/** What would run where a page took it for markup. */
export const probe = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

type Members = Readonly<Record<string, unknown>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
}

interface Call {
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const openApi: Document = JSON.parse(readFileSync(join(import.meta.dirname, "../../../openapi.json"), "utf8"));

/** A write: its path in the document, and what it has beside the probes. Undefined: what is stored. */
type Target = readonly [method: "PUT" | "POST", path: string, base?: (ids: Readonly<Record<string, string>>) => Members];

/** Where texts are written, by the path of the API with the names of seeded records. */
const targets: readonly Target[] = [
  ["PUT", "/api/key/{key}"],
  ["PUT", "/api/ip-acl/{accessList}"],
  ["PUT", "/api/theme/{theme}"],
  ["PUT", "/api/email/template/{emailTemplate}"],
  ["PUT", "/api/message/template/{messageTemplate}"],
  ["PUT", "/api/messenger/{messenger}"],
  ["PUT", "/api/consent/{consent}"],
  ["POST", "/api/form/field", () => ({ field: { key: "user.data.motto", type: "string", control: "text" } })],
  ["PUT", "/api/form/{form}"],
  ["PUT", "/api/lambda/{lambda}"],
  ["PUT", "/api/tenant/{tenant}"],
  ["PUT", "/api/application/{application}"],
  ["POST", "/api/application/{application}/role", () => ({ role: { name: "x" } })],
  ["PUT", "/api/group/{group}"],
  ["PUT", "/api/api-key/{apiKey}"],
  ["PUT", "/api/webhook/{webhook}"],
  ["PUT", "/api/integration"],
  ["PUT", "/api/entity/type/{entityType}"],
  ["POST", "/api/entity/type/{entityType}/permission", () => ({ permission: { name: "x" } })],
  ["PUT", "/api/entity/{entity}"],
  ["POST", "/api/entity/{entity}/grant", ({ user }) => ({ grant: { userId: user, permissions: ["read"] } })],
  ["PUT", "/api/user-action/{userAction}"],
  ["PUT", "/api/user-action-reason/{userActionReason}"],
  ["PUT", "/api/user/{user}"],
  ["PUT", "/api/user/registration/{user}/{application}"],
  [
    "POST",
    "/api/group/member",
    ({ group = "", seller }) => ({ members: { [group]: [{ userId: seller, data: { note: probe } }] } }),
  ],
  [
    "POST",
    "/api/user/consent",
    ({ consent, user }) => ({ userConsent: { consentId: consent, giverUserId: user, userId: user, status: "Active" } }),
  ],
  [
    "POST",
    "/api/user/action",
    ({ user, userAction }) => ({
      action: { actioneeUserId: user, actionerUserId: user, userActionId: userAction, expiry: Date.now() + 3_600_000 },
    }),
  ],
  [
    "POST",
    "/api/identity-provider/link",
    ({ identityProvider, user }) => ({ identityProviderLink: { identityProviderId: identityProvider, userId: user } }),
  ],
  ["PUT", "/api/identity-provider/{identityProvider}"],
  ["PUT", "/api/connector/{connector}"],
  ["POST", "/api/webauthn/import", ({ user = "" }) => ({ credentials: [{ ...toPasskey(user), displayName: probe }] })],
  ["POST", "/api/user/comment", ({ user }) => ({ userComment: { commenterId: user, userId: user } })],
  ["POST", "/api/system/audit-log", () => ({})],
];

/** Families without a text of their own that a screen shows: what they write are other families' records, or nothing is stored. */
export const withoutTexts: readonly string[] = [
  "bulkUsers",
  "eventLogs",
  "importJobs",
  "jwt",
  "loginRecords",
  "logins",
  "moderation",
  "oauth2",
  "passwordless",
  "system",
  "twoFactor",
  "verifications",
  "webhookEventLogs",
];

/** Every family of the API. */
export const families: readonly string[] = [
  ...new Set(Object.values(openApi.paths).flatMap((calls) => Object.values(calls).flatMap(({ tags }) => tags))),
].sort();

/** Puts probes into each family; fields that refuse the probe keep what they had. Returns the families that took it. */
export async function plantProbes(identity: IdentityService, ids: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { apiKey } = await identity.apiKeys.create({ apiKey: { name: "Planter", keyManager: true, retrievable: true } });
  const send = async (method: string, url: string, body?: unknown) => {
    const response = await identity.inject({ method, url, headers: { authorization: apiKey.key ?? "" }, body });
    return { status: response.status, content: JSON.parse(response.body || "{}") };
  };
  const planted: string[] = [];
  for (const [number, [method, path, toBase]] of targets.entries()) {
    const { schema, tags } = describe(method, path);
    const url = path.replace(/\{(\w+)\}/g, (_place, name: string) => ids[name] ?? name);
    const base = toBase?.(ids) ?? (await send("GET", url)).content;
    let body = withProbes(schema, base, number);
    for (let attempt = 0; attempt < 25; attempt++) {
      const { content, status } = await send(method, url, body);
      if (status < 300) planted.push(...tags);
      const wrong = Object.keys(content.fieldErrors ?? {});
      if (status !== 400 || wrong.length === 0) break;
      for (const field of wrong)
        body = restore(
          body,
          base,
          field.split(/[.[\]]+/).filter((step) => step !== ""),
        );
    }
  }
  return planted.sort();
}

function describe(method: string, path: string): { readonly schema: Schema; readonly tags: readonly string[] } {
  const shape = path.replace(/\{\w+\}/g, "{}");
  const [, calls] = Object.entries(openApi.paths).find(([one]) => one.replace(/\{\w+\}/g, "{}") === shape) ?? [];
  const call = calls?.[method.toLowerCase()];
  return { schema: call?.requestBody?.content["application/json"]?.schema ?? {}, tags: call?.tags ?? [] };
}

function resolve(schema: Schema): Schema {
  const named = schema.$ref === undefined ? schema : (openApi.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const parts = (named.allOf ?? []).map(resolve);
  return { ...named, properties: Object.assign({}, ...parts.map(({ properties }) => properties), named.properties) };
}

/** A body with the probe in each text that may say anything, beside what it must say. */
function withProbes(schema: Schema, base: unknown, number: number, depth = 0): unknown {
  const { enum: options, format, properties = {}, type } = resolve(schema);
  if (type === "string" || (typeof base === "string" && type === undefined)) {
    const isFree = options === undefined && format === undefined && !/[@\d-]{8}|^https?:/.test(String(base ?? ""));
    return isFree ? `${probe}${number}` : base;
  }
  if (Object.keys(properties).length === 0) return base;
  const given = (base ?? {}) as Members;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const value = valueFor(name, member, given[name], number, depth);
    return value === undefined ? [] : [[name, value] as const];
  });
  const all = { ...given, ...Object.fromEntries(members) };
  return Object.keys(all).length === 0 ? undefined : all;
}

function valueFor(name: string, member: Schema, given: unknown, number: number, depth: number): unknown {
  if (name === "data" && depth > 0) return { ...(given as Members | undefined), note: probe, [probe]: probe };
  return depth > 3 && given === undefined ? undefined : withProbes(member, given, number, depth + 1);
}

/** Puts back what a refused field had, or leaves it out. */
function restore(value: unknown, base: unknown, [first = "", ...rest]: readonly string[]): unknown {
  const own = (value ?? {}) as Members;
  const had = (base as Members | undefined)?.[first];
  if (rest.length > 0 && typeof own[first] === "object" && own[first] !== null && !Array.isArray(own[first]))
    return { ...own, [first]: restore(own[first], had, rest) };
  const { [first]: _refused, ...others } = own;
  return had === undefined ? others : { ...others, [first]: had };
}
