import { hash, timingSafeEqual } from "node:crypto";
import type { JWK } from "jose";
import type { RecordedEvent } from "../../operations/events/recorded-event.js";
import { type CompactJws, isSignedBy, type JwsKey, loadJose, parseJws } from "../../security/compact-jws.js";
import type { PublicJwk } from "../../security/keys/public-key-data.js";
import { toSecretBytes } from "../../security/keys/secret-bytes.js";
import { assertKnownOptions, type OptionNames } from "../../shared/known-options.js";

/**
 * Returns the event in a request, after checking its signature (docs/reference/webhooks.md#signature). The same event may come
 * more than once, with the same id.
 * @throws WebhookVerificationError for a message that the service did not send recently; TypeError when no key is given.
 */
export async function verifyWebhook(message: WebhookMessage, keys: WebhookKeys): Promise<RecordedEvent> {
  assertKnownOptions("", keys, keyNames);
  if (keys?.secret === undefined && keys?.jwks === undefined) throw new TypeError("verifyWebhook needs a secret or jwks.");
  return checkSignature(message, keys);
}

const keyNames: OptionNames<WebhookKeys> = {
  clock: "function",
  headerName: "text",
  jwks: "object",
  secret: "text",
  toleranceSeconds: "number",
};
const defaultHeaderName = "X-Service-Signature-JWT";
const sharedSecretAlgorithms: ReadonlySet<unknown> = new Set(["HS256", "HS384", "HS512"]);

async function checkSignature({ headers, body }: WebhookMessage, keys: WebhookKeys): Promise<RecordedEvent> {
  const jws = await readJws(headers, keys.headerName ?? defaultHeaderName);
  const key = await findKey(jws, keys);
  if (key === undefined || !(await isSignedBy(key.alg, key.key, jws)))
    throw new WebhookVerificationError("The signature is not one of these keys.");
  assertRecent(jws, keys);
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const digest = Buffer.from(String(jws.payload.request_body_sha256));
  const expected = Buffer.from(hash("sha256", bytes, "base64"));
  if (digest.length !== expected.length || !timingSafeEqual(digest, expected))
    throw new WebhookVerificationError("The signature is one of another body.");
  return readEvent(bytes);
}

async function readJws(headers: WebhookMessage["headers"], name: string): Promise<CompactJws> {
  const wanted = name.toLowerCase();
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === wanted ? [value] : []));
  const [value] = values;
  if (values.length !== 1 || typeof value !== "string") throw new WebhookVerificationError(`There is not one header ${name}.`);
  const jws = await parseJws(value);
  if (jws === undefined) throw new WebhookVerificationError(`The header ${name} holds no signature.`);
  return jws;
}

// The key determines its algorithm; a shared secret is only used with HMAC algorithms, and a public key never is.
async function findKey(
  jws: CompactJws,
  { jwks, secret }: WebhookKeys,
): Promise<{ readonly alg: string; readonly key: JwsKey } | undefined> {
  const { alg, kid } = jws.header;
  if (sharedSecretAlgorithms.has(alg)) return secret === undefined ? undefined : { alg: String(alg), key: toSecretBytes(secret) };
  const jwk = jwks?.keys.find((one) => one.kid === kid);
  const { importJWK } = await loadJose();
  return jwk && { alg: jwk.alg, key: await importJWK(toJwk(jwk), jwk.alg) };
}

// Without the members that restrict the use of the key.
function toJwk({ crv, e, kty, n, x, y }: PublicJwk): JWK {
  const members = Object.entries({ crv, e, kty, n, x, y }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members);
}

function assertRecent({ payload }: CompactJws, { clock = Date.now, toleranceSeconds = 300 }: WebhookKeys): void {
  const { iat } = payload;
  if (typeof iat !== "number" || Math.abs(clock() / 1_000 - iat) > toleranceSeconds)
    throw new WebhookVerificationError("The signature is too old, or from a clock that differs.");
}

function readEvent(bytes: Uint8Array): RecordedEvent {
  const { event } = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as { readonly event?: RecordedEvent };
  if (event === undefined) throw new WebhookVerificationError("The body is no event.");
  return event;
}

/** A request that claims to be an event of the service. */
export interface WebhookMessage {
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrived: parsing and serializing it again changes it. */
  readonly body: string | Uint8Array;
}

/**
 * Keys that distinguish the service's events from forged ones: the shared secret, or the public keys of `/.well-known/jwks.json`.
 */
export interface WebhookKeys {
  /** The secret of the signing HMAC key, as it was imported. */
  readonly secret?: string | undefined;
  /** The keys with the members of RFC 7517. */
  readonly jwks?: { readonly keys: readonly PublicJwk[] } | undefined;
  /** Default `X-Service-Signature-JWT`; the middle word is the one of the service's `names`. */
  readonly headerName?: string | undefined;
  /** The largest age of a signature, in seconds. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Epoch milliseconds. Default `Date.now`. */
  readonly clock?: (() => number) | undefined;
}

/** An unauthentic request: unsigned, signed with another key, too old, or changed on its way. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WebhookVerificationError";
  }
}
