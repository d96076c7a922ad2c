import { SignInError } from "latchkey";
import type { SignInHost, SignInRecord } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";
import { type ProviderEndpoints, type ProviderRow, providerRows } from "./rows.js";

/** The host and the endpoint overrides for every step of a login. */
export interface LoginTools {
  readonly endpoints: Readonly<Record<string, ProviderEndpoints>>;
  readonly host: SignInHost;
}

/** The settings of a provider with OAuth 2.0 or OpenID Connect, with the record's values before the defaults. */
export interface ProviderSettings {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly endpoints: ProviderEndpoints;
  readonly isSecretInBody: boolean;
  readonly record: SignInRecord;
  readonly row: ProviderRow;
  readonly scope: string;
}

/** The non-empty text of a member; undefined for any other value. */
export function textOf(members: unknown, name: string): string | undefined {
  const value = isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined;
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The settings of a provider; undefined for a type with another protocol. */
export function settingsOf({ endpoints }: LoginTools, record: SignInRecord): ProviderSettings | undefined {
  const row = Object.hasOwn(providerRows, record.type) ? providerRows[record.type] : undefined;
  if (row === undefined) return undefined;
  const own = record.type === "OpenIDConnect" ? record.oauth2 : record;
  const named = record.type === "OpenIDConnect" ? endpointsIn(record.oauth2) : {};
  const method = textOf(own, "clientAuthenticationMethod") ?? textOf(own, "client_authentication_method");
  return {
    clientId: textOf(own, row.clientIdMember ?? "client_id") ?? "",
    clientSecret: method === "none" ? undefined : textOf(own, "client_secret"),
    endpoints: { ...row.endpoints, ...named, ...endpoints[record.type] },
    isSecretInBody: method === "client_secret_post" || row.isSecretInBody === true,
    record,
    row,
    scope: textOf(own, "scope") ?? textOf(own, "permissions") ?? row.scope,
  };
}

function endpointsIn(oauth2: unknown): ProviderEndpoints {
  const names = ["authorization_endpoint", "issuer", "token_endpoint", "userinfo_endpoint"];
  return Object.fromEntries(names.flatMap((name) => [[name, textOf(oauth2, name)]].filter(([, value]) => value !== undefined)));
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns an endpoint of a provider.
 * @throws SignInError for a missing one, and for one without https, except on this machine.
 */
export function endpointOf(endpoints: ProviderEndpoints, name: keyof ProviderEndpoints): URL {
  const url = URL.parse(endpoints[name] ?? "");
  if (url === null) throw new SignInError("unavailable", `The identity provider has no ${name}.`);
  if (url.protocol !== "https:" && !loopback.test(url.hostname))
    throw new SignInError("unavailable", `The ${name} of the identity provider is not an https URL.`);
  return url;
}
