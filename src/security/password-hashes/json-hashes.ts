import { isObject } from "../../shared/objects.js";
import type { PasswordHash } from "./password-hash.js";

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON hash: a credential of Keycloak, or a `custom_password_hash` of Auth0. Returns a text for a hash in another
 * format.
 */
export function readJsonHash(text: string): PasswordHash | string | undefined {
  const given = parseObject(text);
  return given === undefined || isObject(given.hash) ? readAuth0(given) : readKeycloak(given);
}

// A credential has two members, each an object or JSON text.
function readKeycloak(credential: Members): PasswordHash | string | undefined {
  const data = parseObject(credential.credentialData);
  const secret = parseObject(credential.secretData);
  if (data === undefined || typeof secret?.value !== "string" || typeof secret.salt !== "string") return undefined;
  const { algorithm, hashIterations } = data;
  const rounds = Number(hashIterations);
  const [salt, hash] = [Buffer.from(secret.salt, "base64"), Buffer.from(secret.value, "base64")];
  const digest = /^pbkdf2(?:-(sha256|sha512))?$/.exec(String(algorithm));
  if (digest !== null) return { kind: "pbkdf2", digest: digest[1] ?? "sha1", rounds, salt, hash };
  return algorithm === "argon2" ? toArgon2Text(data.additionalParameters, rounds, [salt, hash]) : undefined;
}

function toArgon2Text(given: unknown, passes: number, parts: readonly Buffer[]): string {
  const parameters = parseObject(given) ?? {};
  const named = (name: string, standard: string): string => String([parameters[name]].flat()[0] ?? standard);
  const version = named("version", "1.3") === "1.0" ? 16 : 19;
  const [salt = "", hash = ""] = parts.map((part) => part.toString("base64").replaceAll("=", ""));
  const cost = `m=${named("memory", "7168")},t=${passes},p=${named("parallelism", "1")}`;
  return `$argon2${named("type", "id")}$v=${version}$${cost}$${salt}$${hash}`;
}

const ownFormats = ["argon2", "bcrypt", "ldap", "pbkdf2"];
const digests = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];

function readAuth0(given: Members | undefined): PasswordHash | string | undefined {
  const [algorithm, hash, salt = {}] = [given?.algorithm, parseObject(given?.hash), parseObject(given?.salt)];
  if (given === undefined || hash === undefined) return undefined;
  if (ownFormats.includes(String(algorithm))) return typeof hash.value === "string" ? hash.value : undefined;
  const parts = { hash: toBytes(hash), salt: toBytes(salt) };
  if (algorithm === "scrypt") {
    const [cost, blockSize, lanes] = [given.cost ?? 16_384, given.blockSize ?? 8, given.parallelization ?? 1].map(Number);
    return { kind: "scrypt", cost: cost ?? 0, blockSize: blockSize ?? 0, lanes: lanes ?? 0, ...parts };
  }
  const encoding = passwordEncodings.find((known) => known === parseObject(given.password)?.encoding) ?? "utf8";
  const common = { rounds: 1, isSaltFirst: salt.position !== "suffix", encoding, ...parts };
  const digest = String(algorithm === "hmac" ? hash.digest : algorithm);
  if (!digests.includes(digest)) return undefined;
  const key = parseObject(hash.key);
  if (algorithm !== "hmac") return { kind: "digest", digest, ...common };
  return key === undefined ? undefined : { kind: "hmac", digest, key: toBytes(key), ...common };
}

const passwordEncodings = ["ascii", "utf8", "utf16le", "ucs2", "latin1", "binary"] as const;
const valueEncodings = ["base64", "hex", "utf8"] as const;

function toBytes({ encoding, value }: Members): Buffer {
  const known = valueEncodings.find((name) => name === encoding) ?? "utf8";
  return typeof value === "string" ? Buffer.from(value, known) : Buffer.alloc(0);
}

function parseObject(value: unknown): Members | undefined {
  if (typeof value !== "string") return isObject(value) ? value : undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
