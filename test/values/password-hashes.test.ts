import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { hashSync } from "bcryptjs";
import { expect, test } from "vitest";
import { parseHash } from "../../src/security/password-hashes/parse-hash.js";
import { createPasswords } from "../../src/security/password-hashes/password.js";
import { encryptionSchemes } from "../../src/security/password-hashes/scheme-names.js";
import { toHashText } from "../../src/security/password-hashes/schemes.js";
import { foreignHashes, foreignPassword } from "../support/foreign-hashes.js";
import { steps } from "../support/properties.js";
import { publicHashes, publicParts } from "../support/public-hashes.js";
import { requirement } from "../support/requirement.js";

const passwords = createPasswords();
const own = passwords.hash(foreignPassword);

async function expectHash(hash: string, password: string): Promise<void> {
  expect(await passwords.verify(password, hash)).toBe(true);
  expect(await passwords.verify(`${password}x`, hash)).toBe(false);
}

for (const [name, hash, password] of steps(foreignHashes, 3))
  requirement("users.import-hashes", `${name} is understood by its own format, and is weaker than our own`, async () => {
    await expectHash(hash, password);
    expect(passwords.isReplaceable(hash, "secret")).toBe(true);
    expect(passwords.isReplaceable(await own, "secret")).toBe(false);
  });

for (const [format, source, hash, password] of steps(publicHashes, 3))
  requirement("users.import-hashes", `${format} is understood as published (${source})`, () => expectHash(hash, password));

test.each(steps(publicParts, 3))(
  "%s is understood in parts as published (%s)",
  async (encryptionScheme, _source, factor, salt, hash, password) => {
    await expectHash(toHashText({ encryptionScheme, factor, salt, hash }) ?? "", password);
  },
);

const salt = Buffer.from("sixteen bytes...");
const rounds = (first: Buffer, next: (last: Buffer) => Buffer, more: number): string => {
  let value = first;
  for (let round = 0; round < more; round++) value = next(value);
  return value.toString("base64");
};
const digest = (name: string) => (value: Buffer) => createHash(name).update(value).digest();
const keyed = (value: Buffer | string): Buffer => createHmac("sha256", salt).update(value).digest();
const password = Buffer.from(foreignPassword);
const [bcryptSalt, bcryptHash] = ((text: string) => [text.slice(7, 29), text.slice(29)])(hashSync(foreignPassword, 4));

const parts = [
  ["salted-md5", 3, salt.toString("base64"), rounds(digest("md5")(Buffer.concat([password, salt])), digest("md5"), 2)],
  ["salted-sha256", 1, salt.toString("base64"), rounds(digest("sha256")(Buffer.concat([password, salt])), digest("sha256"), 0)],
  ["salted-hmac-sha256", 2, salt.toString("base64"), rounds(keyed(password), keyed, 1)],
  ...(
    [
      ["salted-pbkdf2-hmac-sha256", "sha256", 32],
      ["salted-pbkdf2-hmac-sha256-512", "sha256", 64],
      ["salted-pbkdf2-hmac-sha512-512", "sha512", 64],
    ] as const
  ).map(([scheme, name, length]) => {
    const hash = pbkdf2Sync(password, salt, 1_500, length, name).toString("base64");
    return [scheme, 1_500, salt.toString("base64"), hash] as const;
  }),
  ["bcrypt", 4, bcryptSalt ?? "", bcryptHash ?? ""],
  ["phpass-md5", 2_048, "IQRaTwmf", "eRo7ud9Fh4E2PdI0S3r.L0"],
] as const;

test.each(parts)("%s is understood in parts", async (encryptionScheme, factor, given, hash) => {
  const text = toHashText({ encryptionScheme, factor, salt: given, hash });
  await expectHash(text ?? "", encryptionScheme === "phpass-md5" ? "test12345" : foreignPassword);
});

test.each(encryptionSchemes)("a password hashed with %s is verified", async (scheme) => {
  const hash = await passwords.hashWithScheme(foreignPassword, scheme, scheme === "bcrypt" ? 4 : 200);
  await expectHash(hash ?? "", foreignPassword);
  expect(await passwords.hashWithScheme(foreignPassword, scheme, scheme === "bcrypt" ? 4 : 200)).not.toBe(hash);
});

const bombs = [
  `{"algorithm":"scrypt","cost":1e9,"hash":{"value":"${"A".repeat(64)}"},"salt":{"value":"salt"}}`,
  `{"algorithm":"bcrypt","hash":{"value":"$2b$31$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyzabcde"}}`,
  "$2b$15$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyzabcde",
  "$2b$31$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyzabcde",
  "$argon2id$v=19$m=1048576,t=1,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=262144,t=5,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA",
  "$argon2id$v=19$m=65536,t=4294967295,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA",
  `pbkdf2_sha256$5000001$salt$${"A".repeat(43)}=`,
  `pbkdf2_sha256$99999999999999999999$salt$${"A".repeat(43)}=`,
  `scrypt$1048576$salt$8$1$${"A".repeat(86)}==`,
  `scrypt$1000$salt$8$1$${"A".repeat(86)}==`,
  `$scrypt$ln=99,r=8,p=1$c2FsdA$${"A".repeat(43)}`,
  `salted-md5$500001$c2FsdA==$${"A".repeat(22)}==`,
  `$P$Zsaltsalt${"A".repeat(22)}`,
  `${Buffer.from([1, 0, 0, 0, 1, 255, 255, 255, 255, 0, 0, 0, 16]).toString("base64").slice(0, 16)}${"A".repeat(70)}`,
];

requirement("users.import-factor", "a hash that takes too long to check is none", () => {
  for (const hash of bombs) expect([hash, parseHash(hash)]).toEqual([hash, undefined]);
});

test.each([
  "",
  "plain",
  "{",
  "{}",
  "[]",
  "null",
  '{"credentialData":"{}","secretData":"1"}',
  "{SSHA}",
  "{MD5}AAAA",
  '{"algorithm":"md4","hash":{"value":"00"}}',
  '{"algorithm":"hmac","hash":{"value":"00","digest":"sha256"}}',
  '{"algorithm":"sha1","hash":{"value":7}}',
  "{SSHA}AAAA",
  "$2b$10$short",
])("a text that is no hash is none: %s", (text) => expect(parseHash(text)).toBeUndefined());

test.each([
  ["bcrypt", 15],
  ["bcrypt", 3],
  ["salted-md5", 0],
  ["salted-md5", 500_001],
  ["phpass-md5", 131_073],
  ["salted-pbkdf2-hmac-sha256", 5_000_001],
] as const)("%s takes no factor %i", async (scheme, factor) => {
  expect(await passwords.hashWithScheme(foreignPassword, scheme, factor)).toBeUndefined();
});
