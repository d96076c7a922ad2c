import { createHash } from "node:crypto";
import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as joseFetch } from "jose";
import { SignInError } from "latchkey";
import type { SignInHost } from "latchkey/ports";
import * as client from "openid-client";
import { findClockDifference } from "../../internal/clock-difference.js";
import { isObject } from "../../internal/objects.js";
import { endpointOf, type ProviderSettings } from "./settings.js";

/** A provider with its library configuration. */
export interface KnownProvider {
  readonly configuration: client.Configuration;
  /** The keys that verify its ID tokens; undefined for a provider without ID tokens. */
  readonly keys: JWTVerifyGetKey | undefined;
}

interface CachedProvider {
  readonly expirationInstant: number;
  readonly known: Promise<KnownProvider>;
}

const maxProviders = 500;
const maxAgeMs = 3_600_000;
const timeoutSeconds = 10;
/** The tolerated clock difference, in seconds. */
export const clockTolerance = 60;

const caches = new WeakMap<SignInHost, Map<string, CachedProvider>>();

/** Returns the provider of a login, discovered with its keys once an hour per service. A failed discovery is not cached. */
export async function findConfiguration(settings: ProviderSettings, host: SignInHost, secret?: string): Promise<KnownProvider> {
  const cache = caches.get(host) ?? new Map<string, CachedProvider>();
  caches.set(host, cache);
  const name = cacheNameOf(settings);
  const found = cache.get(name);
  const now = host.clock();
  const known = found !== undefined && found.expirationInstant > now ? found.known : discover(settings, host);
  if (known !== found?.known) {
    cache.delete(name);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= maxProviders) cache.delete(oldest);
    const entry = { expirationInstant: now + maxAgeMs, known };
    cache.set(name, entry);
    known.catch(() => cache.get(name) === entry && cache.delete(name));
  }
  const { configuration, keys } = await known;
  // Apple's secret is new for each login; the metadata stays.
  return secret === undefined
    ? { configuration, keys }
    : { configuration: toConfiguration({ ...settings, clientSecret: secret }, host, configuration.serverMetadata()), keys };
}

function cacheNameOf({ clientId, clientSecret, endpoints, isSecretInBody }: ProviderSettings): string {
  return createHash("sha256")
    .update(JSON.stringify([clientId, clientSecret, endpoints, isSecretInBody]))
    .digest("base64url");
}

async function discover(settings: ProviderSettings, host: SignInHost): Promise<KnownProvider> {
  const { clientId, endpoints } = settings;
  if (endpoints.issuer === undefined) {
    const server = {
      issuer: endpointOf(endpoints, "token_endpoint").origin,
      authorization_endpoint: endpointOf(endpoints, "authorization_endpoint").href,
      token_endpoint: endpointOf(endpoints, "token_endpoint").href,
    };
    return { configuration: toConfiguration(settings, host, server), keys: undefined };
  }
  const issuer = endpointOf(endpoints, "issuer");
  const insecure = issuer.protocol === "http:" ? [client.allowInsecureRequests] : [];
  const discovered = await client.discovery(issuer, clientId, undefined, client.None(), {
    [client.customFetch]: fetchOf(host),
    execute: insecure,
    timeout: timeoutSeconds,
  });
  const server = { ...discovered.serverMetadata(), ...namedEndpoints(settings) };
  const { jwks_uri: keysUrl } = server;
  if (keysUrl === undefined) throw new SignInError("unavailable", "The identity provider publishes no keys.");
  endpointOf({ issuer: keysUrl }, "issuer");
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    [joseFetch]: (url, init) => host.fetch(url, init),
    cooldownDuration: 30_000,
    timeoutDuration: timeoutSeconds * 1_000,
  });
  return { configuration: toConfiguration(settings, host, server), keys };
}

// Endpoints of the record take precedence over discovered ones.
function namedEndpoints({ endpoints }: ProviderSettings): Readonly<Record<string, string>> {
  const names = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"] as const;
  return Object.fromEntries(names.flatMap((name) => (endpoints[name] === undefined ? [] : [[name, endpoints[name]]])));
}

function toConfiguration(settings: ProviderSettings, host: SignInHost, server: client.ServerMetadata): client.Configuration {
  const { clientId, clientSecret: secret, isSecretInBody } = settings;
  const authentication =
    secret === undefined ? client.None() : isSecretInBody ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret);
  const metadata = { [client.clockTolerance]: clockTolerance, [client.clockSkew]: findClockDifference(host.clock) };
  const configuration = new client.Configuration(server, clientId, metadata, authentication);
  configuration[client.customFetch] = server.jwks_uri === undefined ? plainFetchOf(host) : fetchOf(host);
  configuration.timeout = timeoutSeconds;
  // By default, the library trusts the TLS connection; verify the signature as well.
  client.enableNonRepudiationChecks(configuration);
  if (URL.parse(server.token_endpoint ?? "")?.protocol === "http:") client.allowInsecureRequests(configuration);
  return configuration;
}

function fetchOf(host: SignInHost): client.CustomFetch {
  return (url, { body, headers, method, redirect, signal }) =>
    host.fetch(url, {
      headers,
      method,
      redirect,
      ...(body !== undefined && { body: body as string }),
      ...(signal && { signal }),
    });
}

/** The members of a plain OAuth 2.0 token response. */
const plainMembers = ["access_token", "error", "error_description", "expires_in", "refresh_token", "token_type"];

// A provider without ID tokens may send members that the library cannot verify, and lists instead of texts.
function plainFetchOf(host: SignInHost): client.CustomFetch {
  const send = fetchOf(host);
  return async (url, init) => {
    const response = await send(url, init);
    const body: unknown = await response.json().catch(() => undefined);
    const members = isObject(body) ? Object.entries(body).filter(([name]) => plainMembers.includes(name)) : [];
    const plain = { token_type: "bearer", ...Object.fromEntries(members) };
    return Response.json(plain, { status: response.status });
  };
}
