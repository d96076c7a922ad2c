import { hash, timingSafeEqual } from "node:crypto";
import type { JWK } from "jose";
import { type CompactJws, isSignedBy, type JwsKey, loadJose, parseJws } from "../../security/compact-jws.js";
import type { PublicJwk } from "../../security/keys/public-key-data.js";
import type { RecordedEvent } from "../events/recorded-event.js";
import { type WebhookKeys, type WebhookMessage, WebhookVerificationError } from "./webhook-message.js";

const defaultHeaderName = "X-Service-Signature-JWT";
const sharedSecretAlgorithms: ReadonlySet<unknown> = new Set(["HS256", "HS384", "HS512"]);

/** See `verifyWebhook`. */
export async function checkSignature({ headers, body }: WebhookMessage, keys: WebhookKeys): Promise<RecordedEvent> {
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

// The key says by which algorithm it signs; a shared secret does so by its length alone, and never by a public key's.
async function findKey(
  jws: CompactJws,
  { jwks, secret }: WebhookKeys,
): Promise<{ readonly alg: string; readonly key: JwsKey } | undefined> {
  const { alg, kid } = jws.header;
  if (sharedSecretAlgorithms.has(alg)) return secret === undefined ? undefined : { alg: String(alg), key: Buffer.from(secret) };
  const jwk = jwks?.keys.find((one) => one.kid === kid);
  const { importJWK } = await loadJose();
  return jwk && { alg: jwk.alg, key: await importJWK(toJwk(jwk), jwk.alg) };
}

// Without the members that state who may use the key, and for which operations.
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
