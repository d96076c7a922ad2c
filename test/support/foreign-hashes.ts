// Hashes of other systems: published by them, or made here by their documentation, with code independent of the service's.
import { createHash, createHmac, pbkdf2Sync, scryptSync } from "node:crypto";
import { hash as argon2, type Options } from "@node-rs/argon2";
import { hashSync } from "bcryptjs";

/** The password of most of them. */
export const foreignPassword = "correct Hörse 1";

const salt = Buffer.from("0123456789abcdef");
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const unpadded = (bytes: Uint8Array): string => base64(bytes).replaceAll("=", "");
const stretch = (digest: string, length: number, rounds = 1_200): Buffer =>
  pbkdf2Sync(foreignPassword, salt, rounds, length, digest);
const bcrypt = (password: string, letter = "b"): string => hashSync(password, 4).replace("$2b$", `$2${letter}$`);

function ssha(digest: string): string {
  return base64(Buffer.concat([createHash(digest).update(foreignPassword).update(salt).digest(), salt]));
}

function aspNet3(): string {
  const head = Buffer.alloc(13);
  head[0] = 1;
  head.writeUInt32BE(1, 1);
  head.writeUInt32BE(1_200, 5);
  head.writeUInt32BE(salt.length, 9);
  return base64(Buffer.concat([head, salt, stretch("sha256", 32)]));
}

function keycloak(algorithm: string, hashIterations: number, value: Uint8Array, additionalParameters: object = {}): string {
  const credentialData = JSON.stringify({ hashIterations, algorithm, additionalParameters });
  const secretData = JSON.stringify({ value: base64(value), salt: base64(salt), additionalParameters: {} });
  return JSON.stringify({ credentialData, secretData });
}

async function argonBytes(options: Options): Promise<Buffer> {
  return Buffer.from((await argon2(foreignPassword, { ...options, salt })).split("$").at(-1) ?? "", "base64");
}

// The portable hash of WordPress and Drupal, with its own encoding of 24 bits at a time.
function phpass(digest: string, letter: string, exponent: number, length?: number): string {
  const alphabet = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let value = createHash(digest).update(`saltsalt${foreignPassword}`).digest();
  for (let round = 0; round < 2 ** exponent; round++) value = createHash(digest).update(value).update(foreignPassword).digest();
  let text = "";
  for (let index = 0; index < value.length; index += 3) {
    const group = value.subarray(index, index + 3);
    const bits = (group[0] ?? 0) | ((group[1] ?? 0) << 8) | ((group[2] ?? 0) << 16);
    for (let place = 0; place <= group.length; place++) text += alphabet[(bits >> (6 * place)) & 63];
  }
  return `$${letter}$${alphabet[exponent]}saltsalt${text.slice(0, length)}`;
}

const toWordPress = (): string => bcrypt(base64(createHmac("sha384", "wp-sha384").update(foreignPassword).digest()), "y");
const firebaseKey = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==";
const firebaseHash = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";
const light = { memoryCost: 1_024, timeCost: 2, parallelism: 1 };
const keycloakArgon = { type: ["id"], memory: ["1024"], version: ["1.3"], parallelism: ["1"], hashLength: ["32"] };

/** Name, hash and password. */
export const foreignHashes: readonly (readonly [name: string, hash: string, password: string])[] = [
  [
    "Firebase's published example",
    `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${firebaseKey}$42xEC+ixf3L2lw==$${firebaseHash}`,
    "user1password",
  ],
  ["phpass's published example", "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0", "test12345"],
  ...[
    ["bcrypt $2b$, as of Auth0", bcrypt(foreignPassword)],
    ["bcrypt $2a$, as of Supabase", bcrypt(foreignPassword, "a")],
    ["bcrypt $2y$, as of PHP", bcrypt(foreignPassword, "y")],
    ["WordPress since 6.8", `$wp${toWordPress()}`],
    ["WordPress before", phpass("md5", "P", 8)],
    ["phpBB", phpass("md5", "H", 8)],
    ["Drupal 7", phpass("sha512", "S", 8, 43)],
    ["Argon2id", await argon2(foreignPassword, { ...light, algorithm: 2 })],
    ["Argon2i", await argon2(foreignPassword, { ...light, algorithm: 1 })],
    ["Django's Argon2", `argon2${await argon2(foreignPassword, light)}`],
    ["Django's PBKDF2", `pbkdf2_sha256$1200$${salt}$${base64(stretch("sha256", 32))}`],
    ["Django's PBKDF2 with SHA-1", `pbkdf2_sha1$1200$${salt}$${base64(stretch("sha1", 20))}`],
    ["Django's bcrypt_sha256", `bcrypt_sha256$${bcrypt(createHash("sha256").update(foreignPassword).digest("hex"))}`],
    ["Django's bcrypt", `bcrypt$${bcrypt(foreignPassword)}`],
    ["Django's scrypt", `scrypt$1024$${salt}$8$1$${base64(scryptSync(foreignPassword, salt, 64, { N: 1_024, r: 8, p: 1 }))}`],
    [
      "scrypt in PHC form",
      `$scrypt$ln=10,r=8,p=1$${unpadded(salt)}$${unpadded(scryptSync(foreignPassword, salt, 32, { N: 1_024 }))}`,
    ],
    ["PBKDF2 in PHC form", `$pbkdf2-sha512$i=1200,l=64$${unpadded(salt)}$${unpadded(stretch("sha512", 64))}`],
    ["PBKDF2 of passlib", `$pbkdf2-sha256$1200$${unpadded(salt)}$${unpadded(stretch("sha256", 32)).replaceAll("+", ".")}`],
    ["Keycloak's pbkdf2", keycloak("pbkdf2", 1_200, stretch("sha1", 64))],
    ["Keycloak's pbkdf2-sha256", keycloak("pbkdf2-sha256", 1_200, stretch("sha256", 64))],
    ["Keycloak's pbkdf2-sha512", keycloak("pbkdf2-sha512", 1_200, stretch("sha512", 64))],
    ["Keycloak's argon2", keycloak("argon2", 2, await argonBytes(light), keycloakArgon)],
    ["ASP.NET Identity version 2", base64(Buffer.concat([Buffer.of(0), salt, stretch("sha1", 32, 1_000)]))],
    ["ASP.NET Identity version 3", aspNet3()],
    ["LDAP's SSHA", `{SSHA}${ssha("sha1")}`],
    ["LDAP's SSHA512", `{SSHA512}${ssha("sha512")}`],
  ].map(([name = "", hash = ""]) => [name, hash, foreignPassword] as const),
];
