import { createPublicKey, type JsonWebKeyInput } from "node:crypto";
import type { PasskeyAlgorithm } from "latchkey/ports";
import type { Helpers } from "./library.js";

/** Key algorithms by COSE number (RFC 9053, RFC 8812). */
export const algorithms: ReadonlyMap<number, PasskeyAlgorithm> = new Map([
  [-7, "ES256"],
  [-8, "EdDSA"],
  [-35, "ES384"],
  [-36, "ES512"],
  [-257, "RS256"],
  [-258, "RS384"],
  [-259, "RS512"],
]);

/** A COSE key: numbers instead of parameter names (RFC 9053, 7). */
type CoseMap = Map<number, number | Uint8Array>;

const label = { alg: 3, crv: -1, kty: 1, x: -2, y: -3 };
const rsaLabel = { e: -2, n: -1 };
const keyTypes = { EC: 2, OKP: 1, RSA: 3 } as const;
const curves: ReadonlyMap<number, string> = new Map([
  [1, "P-256"],
  [2, "P-384"],
  [3, "P-521"],
  [6, "Ed25519"],
]);

/** An unreadable public key. */
export class InvalidKey extends Error {
  constructor() {
    super("The public key cannot be read.");
    this.name = "InvalidKey";
  }
}

/** Returns the algorithm and the PEM of a COSE public key. @throws InvalidKey for an unsupported key. */
export function fromCose(
  helpers: Helpers,
  bytes: Uint8Array<ArrayBuffer>,
): { readonly algorithm: PasskeyAlgorithm; readonly publicKey: string } {
  const key = helpers.isoCBOR.decodeFirst<CoseMap>(bytes);
  const algorithm = algorithms.get(Number(key.get(label.alg)));
  if (algorithm === undefined) throw new InvalidKey();
  try {
    const input: JsonWebKeyInput = { format: "jwk", key: toJwk(key) };
    return { algorithm, publicKey: String(createPublicKey(input).export({ format: "pem", type: "spki" })) };
  } catch {
    throw new InvalidKey();
  }
}

function toJwk(key: CoseMap): JsonWebKeyInput["key"] {
  const text = (at: number): string => Buffer.from(key.get(at) as Uint8Array).toString("base64url");
  if (key.get(label.kty) === keyTypes.RSA) return { e: text(rsaLabel.e), kty: "RSA", n: text(rsaLabel.n) };
  const crv = curves.get(Number(key.get(label.crv))) ?? "";
  if (key.get(label.kty) === keyTypes.OKP) return { crv, kty: "OKP", x: text(label.x) };
  return { crv, kty: "EC", x: text(label.x), y: text(label.y) };
}

/** Converts a public key from PEM to COSE. */
export function toCose(helpers: Helpers, algorithm: PasskeyAlgorithm, pem: string): Uint8Array<ArrayBuffer> {
  const { crv, e = "", kty = "", n = "", x = "", y } = createPublicKey(pem).export({ format: "jwk" });
  const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64url"));
  const alg = [...algorithms].find(([, one]) => one === algorithm)?.[0] ?? 0;
  const key: CoseMap = new Map<number, number | Uint8Array>([
    [label.kty, keyTypes[kty as keyof typeof keyTypes]],
    [label.alg, alg],
  ]);
  const parts: readonly (readonly [number, number | Uint8Array])[] =
    kty === "RSA"
      ? [
          [rsaLabel.n, bytes(n)],
          [rsaLabel.e, bytes(e)],
        ]
      : [
          [label.crv, [...curves].find(([, one]) => one === crv)?.[0] ?? 0],
          [label.x, bytes(x)],
          ...(y === undefined ? [] : [[label.y, bytes(y)] as const]),
        ];
  for (const [at, value] of parts) key.set(at, value);
  return helpers.isoCBOR.encode(key as never);
}
