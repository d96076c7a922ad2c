import { createPrivateKey, createPublicKey, type KeyObject, sign, verify, X509Certificate } from "node:crypto";
import { promisify } from "node:util";
import { FieldErrorList } from "../../errors/identity-error.js";
import { algorithms, type KeyAlgorithm, type KeyType } from "./algorithms.js";
import { describeCertificate } from "./certificate.js";
import { exportPem, type KeyMaterial, type PublicKeyData, toPublicKeyData } from "./public-key-data.js";
import { isStandardSecret, leastStandardBytes, toSecretBytes } from "./secret-bytes.js";

/** The parts and properties of an imported key. */
export interface KeyParts {
  /** The algorithm to sign with. Default: the usual one for the key. */
  readonly algorithm?: KeyAlgorithm | undefined;
  /** The type of key. Default: that of the parts. */
  readonly type?: KeyType | undefined;
  /** An X.509 certificate in PEM. */
  readonly certificate?: string | undefined;
  /** The public key as SPKI or PKCS #1 in PEM. */
  readonly publicKey?: string | undefined;
  /** The private key as unencrypted PKCS #8, PKCS #1 or SEC 1 in PEM. */
  readonly privateKey?: string | undefined;
  /** The secret as a text; its UTF-8 bytes are the HMAC key. */
  readonly secret?: string | undefined;
}

/**
 * Imports a key from its parts. Each part must be valid, all must belong together, and the given properties must be true.
 * @throws IdentityError 400 for each invalid part; messages never contain the part.
 */
export async function importKey(parts: KeyParts): Promise<KeyMaterial> {
  const errors = new FieldErrorList();
  const { algorithm } = parts;
  const type = parts.type ?? (algorithm && algorithms[algorithm].type);
  if (algorithm !== undefined && type !== algorithms[algorithm].type) errors.add("invalid", "key.algorithm");
  const isPair = pairParts.some((part) => parts[part] !== undefined) || parts.secret === undefined;
  const isSecret = type === undefined ? !isPair : type === "HMAC" || type === "Secret";
  const material = isSecret ? toSecret(parts, type, errors) : await toPair(parts, errors);
  if (material === undefined || !errors.isEmpty) throw errors.toError();
  return material;
}

const pairParts = ["certificate", "publicKey", "privateKey"] as const;

function toSecret(parts: KeyParts, type: KeyType | undefined, errors: FieldErrorList): KeyMaterial | undefined {
  const { secret } = parts;
  const algorithm = parts.algorithm ?? (type === "Secret" ? "None" : undefined);
  for (const part of pairParts) if (parts[part] !== undefined) errors.add("invalid", `key.${part}`);
  if (secret === undefined) errors.add("blank", "key.secret");
  // A secret does not determine its hash algorithm.
  if (algorithm === undefined) errors.add("missing", "key.algorithm");
  if (secret === undefined || algorithm === undefined) return undefined;
  const traits = algorithms[algorithm];
  if (traits.type === "HMAC") {
    const leastBytes = isStandardSecret(secret) && algorithm === "HS256" ? leastStandardBytes : traits.leastBytes;
    if (toSecretBytes(secret).length < leastBytes)
      errors.add("tooShort", "key.secret", `A secret for ${algorithm} must have at least ${leastBytes} bytes.`);
  }
  return { type: traits.type, algorithm, secret };
}

/** The parts of a pair, parsed; each contains the public key. */
interface Pair {
  readonly certificate?: { readonly publicKey: KeyObject; readonly certificate: X509Certificate } | undefined;
  readonly publicKey?: { readonly publicKey: KeyObject } | undefined;
  readonly privateKey?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined;
}

async function toPair(parts: KeyParts, errors: FieldErrorList): Promise<KeyMaterial | undefined> {
  if (parts.secret !== undefined) errors.add("invalid", "key.secret");
  const pair = parsePair(parts, errors);
  const [first, ...others] = pairParts.filter((part) => pair[part] !== undefined);
  const key = first && pair[first]?.publicKey;
  if (pairParts.every((part) => parts[part] === undefined)) errors.add("blank", "key.publicKey");
  if (key === undefined || !errors.isEmpty) return undefined;
  for (const part of others) if (pair[part]?.publicKey.equals(key) !== true) errors.add("invalid", `key.${part}`);
  const half = toPublicKeyData(key);
  if (half === undefined) errors.add("invalid", `key.${first}`, `[key.${first}] holds a kind of key that signs nothing here.`);
  else checkHalf(parts, half, key, errors);
  if (half === undefined || !errors.isEmpty) return undefined;
  if (pair.privateKey !== undefined && !(await canSign(pair.privateKey))) errors.add("invalid", "key.privateKey");
  return toMaterial(parts, pair, half);
}

function parsePair(parts: KeyParts, errors: FieldErrorList): Pair {
  return {
    certificate: parsePart("certificate", parts, errors, (text) => {
      const certificate = parseCertificate(text);
      if (!Number.isFinite(certificate.validFromDate.getTime() + certificate.validToDate.getTime()))
        throw new Error("A certificate without dates.");
      return { certificate, publicKey: certificate.publicKey };
    }),
    publicKey: parsePart("publicKey", parts, errors, (text) => ({ publicKey: parsePublicKey(text) })),
    privateKey: parsePart("privateKey", parts, errors, (text) => {
      const privateKey = parsePrivateKey(text);
      return { privateKey, publicKey: createPublicKey(privateKey) };
    }),
  };
}

// SAML metadata contain a certificate without its first and last line.
const pemRules = {
  certificate: ": Base64 between the lines -----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----",
  publicKey: ": Base64 between the lines -----BEGIN PUBLIC KEY----- and -----END PUBLIC KEY-----",
  privateKey: ", without a passphrase",
} as const;

function parsePart<T>(
  part: (typeof pairParts)[number],
  parts: KeyParts,
  errors: FieldErrorList,
  parse: (text: string) => T,
): T | undefined {
  const text = parts[part];
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch {
    // The messages of OpenSSL help neither callers nor operators.
    errors.add("invalid", `key.${part}`, `The [key.${part}] property must be PEM${pemRules[part]}.`);
    return undefined;
  }
}

const leastModulus = 2_048;
const largestModulus = 8_192;

function checkHalf(parts: KeyParts, half: PublicKeyData, key: KeyObject, errors: FieldErrorList): void {
  const { algorithm = half.defaultAlgorithm, type = half.type } = parts;
  if (type !== half.type) errors.add("invalid", "key.type");
  const traits = algorithms[algorithm];
  if (traits.type !== half.type || (traits.type === "EC" && algorithm !== half.defaultAlgorithm))
    errors.add("invalid", "key.algorithm");
  if (half.type !== "RSA") return;
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  // With exponent 1, signatures need no private key; even exponents are invalid for RSA.
  const isWeak = modulusLength < leastModulus || publicExponent < 3n || publicExponent % 2n === 0n;
  if (isWeak || modulusLength > largestModulus)
    errors.add("invalid", "key.length", `An RSA key must have ${leastModulus} to ${largestModulus} bits, and a sound exponent.`);
}

// The numbers of a private key may be inconsistent, since OpenSSL reads the public ones from the text: a test signature proves
// the match.
async function canSign({ privateKey, publicKey }: NonNullable<Pair["privateKey"]>): Promise<boolean> {
  const digest = publicKey.asymmetricKeyType === "ed25519" ? null : "sha256";
  const data = Buffer.from("a text to sign");
  try {
    return verify(digest, data, publicKey, await signAsync(digest, data, privateKey));
  } catch {
    return false;
  }
}

const signAsync = promisify(sign);

function toMaterial(parts: KeyParts, { certificate, privateKey }: Pair, half: PublicKeyData): KeyMaterial {
  return {
    type: half.type,
    algorithm: parts.algorithm ?? half.defaultAlgorithm,
    length: half.length,
    publicKey: half.publicKey,
    publicMembers: half.members,
    ...(certificate && {
      certificate: certificate.certificate.toString().trimEnd(),
      certificateInformation: describeCertificate(certificate.certificate),
    }),
    ...(privateKey && { privateKey: exportPem(privateKey.privateKey, "pkcs8") }),
  };
}

/**
 * PEM parsers. A text must be exactly one block with the expected label: OpenSSL alone would take the first of several blocks,
 * and a private key or a certificate in place of a public key. Messages never contain the text.
 */

/** @throws Error when the text is not a public key. */
function parsePublicKey(text: string): KeyObject {
  return createPublicKey(toBlock(text, ["PUBLIC KEY", "RSA PUBLIC KEY"]));
}

/** @throws Error when the text is not an unencrypted private key. */
function parsePrivateKey(text: string): KeyObject {
  return createPrivateKey(toBlock(text, ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"]));
}

/** @throws Error when the text is not a certificate. */
function parseCertificate(text: string): X509Certificate {
  return new X509Certificate(toBlock(text, ["CERTIFICATE"]));
}

const blockShape = /^-----BEGIN ([A-Z ]+)-----\n[A-Za-z0-9+/=\n]+\n-----END ([A-Z ]+)-----$/;

function toBlock(text: string, labels: readonly string[]): string {
  const block = text.replaceAll(/\r\n?/g, "\n").trim();
  const [, first = "", last] = blockShape.exec(block) ?? [];
  if (first !== last || !labels.includes(first)) throw new Error(`The text is not one PEM block of a ${labels[0]}.`);
  return block;
}
