import { createHmac, hash, sign } from "node:crypto";
import { signJws } from "../../security/compact-jws.js";
import type { LoadedKey } from "../../security/keys/sealed-key.js";

/** A message that is to be signed: the bytes that are sent are these. */
export interface SignedMessage {
  readonly id: string;
  /** Epoch seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers that sign a message: a JWS over the digest of the body in the header that is named (docs/reference/webhooks.md#signature) and, where the key fits,
 * those of Standard Webhooks (docs/reference/webhooks.md#signature). @throws Error when the key does not sign.
 */
export async function signEvent(
  key: LoadedKey,
  headerName: string,
  message: SignedMessage,
): Promise<Readonly<Record<string, string>>> {
  if (key.alg === undefined || key.signingKey === undefined) throw new Error("The key does not sign.");
  const claims = { iat: message.timestamp, request_body_sha256: hash("sha256", message.body, "base64") };
  const jws = await signJws(key.alg, key.signingKey, { kid: key.kid, typ: "JWT" }, claims);
  return { [headerName]: jws, ...toStandardHeaders(key, message) };
}

// Standard Webhooks knows a shared secret (v1) and Ed25519 (v1a), and nothing else.
function toStandardHeaders(key: LoadedKey, { id, timestamp, body }: SignedMessage): Readonly<Record<string, string>> {
  const content = `${id}.${timestamp}.${body}`;
  const signature = toStandardSignature(key, content);
  if (signature === undefined) return {};
  return { "webhook-id": id, "webhook-signature": signature, "webhook-timestamp": String(timestamp) };
}

function toStandardSignature({ signingKey, type }: LoadedKey, content: string): string | undefined {
  if (signingKey === undefined) return undefined;
  if (type === "HMAC") return `v1,${createHmac("sha256", signingKey).update(content).digest("base64")}`;
  if (type === "OKP") return `v1a,${sign(null, Buffer.from(content), signingKey).toString("base64")}`;
  return undefined;
}
