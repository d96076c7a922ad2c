import { createHmac, hash } from "node:crypto";
import { readJsonHash } from "./json-hashes.js";
import { isWithinLimits, type PasswordHash } from "./password-hash.js";

/** Reads a text with the shape of a format; undefined for invalid contents. */
type Reader = (part: (index: number) => string) => PasswordHash | undefined;

/** The formats of complete hashes (docs/reference/user-import.md#hash-formats), each with its shape. */
const formats: readonly (readonly [shape: RegExp, read: Reader])[] = [
  [/^(?:argon2)?(\$argon2(?:id|i|d)\$v=\d+\$m=(\d+),t=(\d+),p=(\d+)\$[\w+/]{11,}\$[\w+/]{16,})$/, readArgon2],
  [/^(?:bcrypt\$)?(\$2[abxy]\$(\d\d)\$[\w./]{22})([\w./]{31})$/, (part) => toBcrypt(part, (password) => password)],
  [/^bcrypt_sha256\$(\$2[aby]\$(\d\d)\$[\w./]{22})([\w./]{31})$/, (part) => toBcrypt(part, toSha256Hex)],
  [/^\$wp(\$2[aby]\$(\d\d)\$[\w./]{22})([\w./]{31})$/, (part) => toBcrypt(part, toWordPressText)],
  [/^\$[PH]\$([\w./])([\w./]{8})([\w./]{22})$/, (part) => toPhpass("md5", part)],
  [/^\$S\$([\w./])([\w./]{8})([\w./]{43,86})$/, (part) => toPhpass("sha512", part)],
  [/^phpass-(md5|sha512)\$(\d+)\$([\w./]{8})\$([\w./]{22,86})$/, readPhpass],
  [/^salted-(md5|sha256|hmac-sha256)\$(\d+)\$([^$]*)\$([^$]+)$/, readSalted],
  [
    /^salted-pbkdf2-hmac-(sha256|sha512)(?:-512)?\$(\d+)\$([^$]*)\$([^$]+)$/,
    (part) => toPbkdf2(part(1), part(2), fromBase64(part(3)), part(4)),
  ],
  [/^(md5|sha1)\$([^$]*)\$([\da-f]{32,40})$/, readOldDjango],
  [/^pbkdf2_(sha1|sha256|sha512)\$(\d+)\$([^$]+)\$([^$]+)$/, (part) => toPbkdf2(part(1), part(2), Buffer.from(part(3)), part(4))],
  [/^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d+)(?:,l=\d+)?\$([\w+/.]+)\$([\w+/.]+)$/, readPbkdf2],
  [
    /^scrypt\$(\d+)\$([^$]+)\$(\d+)\$(\d+)\$([^$]+)$/,
    (part) => toScrypt([part(1), part(3), part(4)], Buffer.from(part(2)), part(5)),
  ],
  [
    /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/,
    (part) => toScrypt([power(part(1)), part(2), part(3)], fromBase64(part(4)), part(5)),
  ],
  [/^\$fbscrypt\$v=1,n=(\d+),r=(\d+),p=(\d+)(?:,ss=([\w+/=]*))?,sk=([\w+/=]+)\$([\w+/=]+)\$([\w+/=]+)$/, readFirebase],
  [/^\{(S?)(MD5|SHA)(256|384|512)?\}([\w+/=]+)$/, readLdap],
  [/^(A[\w+/]{59,}={0,2})$/, readAspNet],
];

/** Parses a hash of any known format; undefined for other texts, and for hashes that take too long for a login. */
export function parseHash(text: string): PasswordHash | undefined {
  const found = findHash(text);
  return found !== undefined && isWithinLimits(found) ? found : undefined;
}

/** Whether a text is a hash of any known format, regardless of its cost. */
export function isHashText(text: string): boolean {
  return findHash(text) !== undefined;
}

function findHash(text: string): PasswordHash | undefined {
  const inJson = text.startsWith("{") ? readJsonHash(text) : undefined;
  return typeof inJson === "object" ? inJson : readShape(inJson ?? text);
}

function readShape(text: string): PasswordHash | undefined {
  for (const [shape, read] of formats) {
    const match = shape.exec(text);
    if (match !== null) return read((index) => match[index] ?? "");
  }
  return undefined;
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text.replaceAll(".", "+"), "base64");
}

function power(exponent: string): string {
  return String(2 ** Math.min(Number(exponent), 64));
}

function readArgon2(part: (index: number) => string): PasswordHash {
  const [memoryKib, passes, lanes] = [Number(part(2)), Number(part(3)), Number(part(4))];
  return { kind: "argon2", text: part(1), memoryKib, passes, lanes };
}

function toBcrypt(part: (index: number) => string, prepare: (password: string) => string): PasswordHash {
  // The letter marks an old bug of a library; today the calculation is the same.
  const salt = part(1).replace("$2x$", "$2a$");
  return { kind: "bcrypt", salt, cost: Number(part(2)), hash: Buffer.from(part(3)), prepare };
}

function toSha256Hex(password: string): string {
  return hash("sha256", password, "hex");
}

// PHP trims these characters.
function toWordPressText(password: string): string {
  return createHmac("sha384", "wp-sha384")
    .update(password.replace(/^[ \t\n\r\v\0]+|[ \t\n\r\v\0]+$/g, ""))
    .digest("base64");
}

const phpassLetters = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function toPhpass(digest: string, part: (index: number) => string): PasswordHash {
  const rounds = 2 ** phpassLetters.indexOf(part(1));
  return toPhpassHash(digest, rounds, part(2), part(3));
}

function readPhpass(part: (index: number) => string): PasswordHash {
  return toPhpassHash(part(1), Number(part(2)), part(3), part(4));
}

function toPhpassHash(digest: string, rounds: number, salt: string, hashed: string): PasswordHash {
  return { kind: "phpass", digest, rounds, salt: Buffer.from(salt), isSaltFirst: true, hash: fromPhpass(hashed) };
}

// Six bits per letter, the lowest first. Remaining bits of a truncated text are not a complete byte.
function fromPhpass(text: string): Buffer {
  const bytes: number[] = [];
  let [bits, width] = [0, 0];
  for (const letter of text) {
    bits |= phpassLetters.indexOf(letter) << width;
    width += 6;
    if (width < 8) continue;
    bytes.push(bits & 255);
    [bits, width] = [bits >> 8, width - 8];
  }
  return Buffer.from(bytes);
}

/** Encodes bytes in the alphabet of phpass. */
export function toPhpassText(bytes: Uint8Array): string {
  let [text, bits, width] = ["", 0, 0];
  for (const byte of bytes) {
    bits |= byte << width;
    for (width += 8; width >= 6; width -= 6) {
      text += phpassLetters[bits & 63];
      bits >>= 6;
    }
  }
  return width > 0 ? text + phpassLetters[bits & 63] : text;
}

function readSalted(part: (index: number) => string): PasswordHash {
  const [rounds, salt, hashed] = [Number(part(2)), fromBase64(part(3)), fromBase64(part(4))];
  const common = { rounds, isSaltFirst: false, hash: hashed };
  return part(1) === "hmac-sha256"
    ? { kind: "hmac", digest: "sha256", key: salt, salt: Buffer.alloc(0), ...common }
    : { kind: "digest", digest: part(1), salt, ...common };
}

function readOldDjango(part: (index: number) => string): PasswordHash {
  const parts = { salt: Buffer.from(part(2)), hash: Buffer.from(part(3), "hex") };
  return { kind: "digest", digest: part(1), rounds: 1, isSaltFirst: true, ...parts };
}

function toPbkdf2(digest: string, rounds: string, salt: Uint8Array, hashed: string): PasswordHash {
  return { kind: "pbkdf2", digest, rounds: Number(rounds), salt, hash: fromBase64(hashed) };
}

function readPbkdf2(part: (index: number) => string): PasswordHash {
  return toPbkdf2(part(1) || "sha1", part(2), fromBase64(part(3)), part(4));
}

function toScrypt([cost, blockSize, lanes]: readonly string[], salt: Uint8Array, hashed: string): PasswordHash {
  const numbers = { cost: Number(cost), blockSize: Number(blockSize), lanes: Number(lanes) };
  return { kind: "scrypt", ...numbers, salt, hash: fromBase64(hashed) };
}

function readFirebase(part: (index: number) => string): PasswordHash | undefined {
  const salt = Buffer.concat([fromBase64(part(6)), fromBase64(part(4))]);
  const scrypt = toScrypt([power(part(1)), part(2), part(3)], salt, part(7));
  return scrypt.kind === "scrypt" ? { ...scrypt, signerKey: fromBase64(part(5)) } : undefined;
}

// The salt follows the digest.
function readLdap(part: (index: number) => string): PasswordHash | undefined {
  const bytes = fromBase64(part(4));
  const digest = part(2) === "MD5" ? "md5" : `sha${part(3) || "1"}`;
  const length = hash(digest, "", "buffer").length;
  if (part(1) === "" && bytes.length !== length) return undefined;
  const parts = { salt: bytes.subarray(length), hash: bytes.subarray(0, length) };
  return { kind: "digest", digest, rounds: 1, isSaltFirst: false, ...parts };
}

const aspNetDigests = ["sha1", "sha256", "sha512"];

function readAspNet(part: (index: number) => string): PasswordHash | undefined {
  const bytes = fromBase64(part(1));
  if (bytes[0] === 0 && bytes.length === 49)
    return { kind: "pbkdf2", digest: "sha1", rounds: 1_000, salt: bytes.subarray(1, 17), hash: bytes.subarray(17) };
  if (bytes[0] !== 1 || bytes.length < 13 + 16 + 16) return undefined;
  const [digest, end] = [aspNetDigests[bytes.readUInt32BE(1)], 13 + bytes.readUInt32BE(9)];
  if (digest === undefined || end > bytes.length - 16) return undefined;
  const parts = { salt: bytes.subarray(13, end), hash: bytes.subarray(end) };
  return { kind: "pbkdf2", digest, rounds: bytes.readUInt32BE(5), ...parts };
}
