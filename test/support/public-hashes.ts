// Published hashes with their passwords and sources. None was found for WordPress since 6.8 and Keycloak's argon2.

import type { EncryptionScheme } from "../../src/security/password-hashes/scheme-names.js";

/** Format, source, hash and password. */
export type PublicHash = readonly [format: string, source: string, hash: string, password: string];

const hashcat = (mode: number): string => `hashcat, example of mode ${mode}`;
const passlib = "passlib, test_handlers.py";
const django = "Django, test_hashers.py";
const auth0Cli = "Auth0 CLI, custom-password-hash-example.json";
const jhipster = "JHipster, jhipster-realm.json";
const aspNet = "ASP.NET Core Identity, PasswordHasherTest.cs";

/** The parts of a Keycloak hash, as in an export. */
export function keycloakCredential(
  value: string,
  salt: string,
): { readonly credentialData: string; readonly secretData: string } {
  return {
    credentialData: JSON.stringify({ hashIterations: 27_500, algorithm: "pbkdf2-sha256" }),
    secretData: JSON.stringify({ value, salt }),
  };
}

const keycloakAdmin = keycloakCredential(
  "4pf9K2jWSCcHC+CwsZP/qidN5pSmDUe6AX6wBerSGdBVKkExay8MWKx+EKmaaObZW6FVsD8vdW/ZsyUFD9gJ1Q==",
  "1/qNkZ5kr77jOMOBPBogGw==",
);

// Auth0 publishes none, so the digest is hashcat's.
function auth0(algorithm: string, hash: object, salt?: object): string {
  return JSON.stringify({ algorithm, hash, salt });
}

const hex = (value: string): object => ({ value, encoding: "hex" });

/** Scheme, source, factor, salt, hash and password. */
export type PublicParts = readonly [
  EncryptionScheme,
  source: string,
  factor: number,
  salt: string,
  hash: string,
  password: string,
];

/** Complete hashes. */
export const publicHashes: readonly PublicHash[] = [
  ["bcrypt $2a$", hashcat(3200), "$2a$05$MBCzKhG1KhezLh.0LRa0Kuw12nLJtpHy6DIaU.JAnqJUDYspHC.Ou", "hashcat"],
  ["bcrypt $2y$", "Supabase Auth, password_test.go", "$2y$04$mIJxfrCaEI3GukZe11CiXublhEFanu5.ododkll1WphfSp6pn4zIu", "test"],
  [
    "Argon2id",
    "Supabase Auth, password_test.go",
    "$argon2id$v=19$m=32,t=3,p=2$SFVpOWJ0eXhjRzVkdGN1RQ$RXnb8rh7LaDcn07xsssqqulZYXOM/EUCEFMVcAcyYVk",
    "test",
  ],
  [
    "Argon2i",
    "Supabase Auth, password_test.go",
    "$argon2i$v=19$m=16,t=2,p=1$bGJRWThNOHJJTVBSdHl2dQ$NfEnUOuUpb7F2fQkgFUG4g",
    "test",
  ],
  [
    "Firebase",
    "Firebase, scrypt, README",
    "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
    "user1password",
  ],
  [
    "Supabase $fbscrypt$",
    "Supabase Auth, password_test.go",
    "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw==$C0sHCg9ek77hsg==$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw==",
    "mytestpassword",
  ],
  ["Keycloak pbkdf2-sha256", jhipster, JSON.stringify(keycloakAdmin), "admin"],
  [
    "Auth0 md5",
    hashcat(10),
    auth0("md5", hex("3d83c8e717ff0e7ecfe187f088d69954"), { value: "343141", position: "suffix" }),
    "hashcat",
  ],
  ["Auth0 md5, salt first", hashcat(20), auth0("md5", hex("57ab8499d08c59a7211c77f557bf9425"), { value: "4247" }), "hashcat"],
  [
    "Auth0 sha256, salt first",
    auth0Cli,
    auth0("sha256", hex("d24e794fce503c3ddb1cd1ba1dd5d9b250cf9917336a0316fefd87fecf79200f"), {
      value: "abc123",
      position: "prefix",
    }),
    "shh",
  ],
  [
    "Auth0 hmac",
    auth0Cli,
    JSON.stringify({
      algorithm: "hmac",
      hash: { value: "cg7f42jH39/2EaAU4wNd4s2lKIk=", encoding: "base64", digest: "sha1", key: hex("736868") },
    }),
    "test",
  ],
  ["Auth0 bcrypt", auth0Cli, auth0("bcrypt", { value: "$2b$10$C9hB01.YxRSTcn/ZOOo4j.TW7xCKKFKBSF.C7E0xiUwumqIDqWUXG" }), "shh"],
  [
    "Auth0 argon2",
    auth0Cli,
    auth0("argon2", {
      value: "$argon2id$v=19$m=65536,t=2,p=1$J6Q/82PCyaNpYKRELJyTZg$m04qUAB8rexWDR4+/0f+SFB+4XMFxt7YAvAq2UycYos",
    }),
    "shh",
  ],
  [
    "Auth0 ldap, {SSHA384}",
    auth0Cli,
    auth0("ldap", {
      value: "{SSHA384}/cgEjdoZh85DhurDeOQEMO1rMlAur93SVPbYe5XSD4lF7nNuvrBju5hUeg9A6agRemgSXGl5YuE=",
      encoding: "utf8",
    }),
    "shh",
  ],
  [
    "Auth0 pbkdf2",
    auth0Cli,
    auth0("pbkdf2", {
      value:
        "$pbkdf2-sha512$i=100000,l=64$KNyFsA2rWoE$I2CQGI9H0JxdDf3kERRI97kPCGxh0KWBIV3MxyaS191gDGfzVBGyS4BibhgqWQ0/ails8mHuU9ckASxHOOq58w",
    }),
    "shh",
  ],
  [
    "Auth0 scrypt",
    hashcat(8900),
    auth0(
      "scrypt",
      { value: "Cc8SPjRH1hFQhuIPCdF51uNGtJ2aOY/isuoMlMUsJ8c=", encoding: "base64" },
      { value: "OTEyNzU0ODg=", encoding: "base64" },
    ),
    "hashcat",
  ],
  ["Django pbkdf2_sha256", django, "pbkdf2_sha256$20000$seasalt$oBSd886ysm3AqYun62DOdin8YcfbU1z9cksZSuLP9r0=", "lètmein"],
  ["Django pbkdf2_sha1", passlib, "pbkdf2_sha1$10000$wz5B6WkasRoF$atJmJ1o+XfJxKq1+Nu1f1i57Z5I=", "not a password"],
  ["Django bcrypt", passlib, "bcrypt$$2a$05$Z17AXnnlpzddNUvnC6cZNOSwMA/8oNiKnHTHTwLlBijfucQQlHjaG", "t\u00e1\u0411\u2113\u0259"],
  [
    "Django bcrypt_sha256",
    passlib,
    "bcrypt_sha256$$2a$06$kCXUnRFQptGg491siDKNTu8RxjBGSjALHRuvhPYNFsa4Ea5d9M48u",
    "t\u00e1\u0411\u2113\u0259",
  ],
  ["Django argon2", django, "argon2$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$YC9+jJCrQhs5R6db7LlN8Q", "secret"],
  [
    "Django scrypt",
    django,
    "scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==",
    "lètmein",
  ],
  ["Django sha1", hashcat(124), "sha1$fe76b$02d5916550edf7fc8c886f044887f4b1abf9b013", "hashcat"],
  ["Django md5", django, "md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3", "lètmein"],
  ["ASP.NET Identity v2", aspNet, "ANXrDknc7fGPpigibZXXZFMX4aoqz44JveK6jQuwY3eH/UyPhvr5xTPeGYEckLxz9A==", "my password"],
  ["ASP.NET Identity v3, SHA-1", aspNet, "AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M", "my password"],
  [
    "ASP.NET Identity v3, SHA-256",
    aspNet,
    "AQAAAAEAA9CQAAAAIESkQuj2Du8Y+kbc5lcN/W/3NiAZFEm11P27nrSN5/tId+bR1SwV8CO1Jd72r4C08OLvplNlCDc3oQZ8efcW+jQ=",
    "my password",
  ],
  ["ASP.NET Identity v3, SHA-512", aspNet, "AQAAAAIAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHw", "my password"],
  ["WordPress $P$", hashcat(400), "$P$946647711V1klyitUYhtB8Yw5DMA/w.", "hashcat"],
  ["phpBB $H$", passlib, "$H$9aaaaaSXBjgypwqm.JsMssPLiS8YQ00", "test1"],
  ["Drupal 7", hashcat(7900), "$S$C20340258nzjDWpoQthrdNTR02f0pmev0K/5/Nx80WSkOQcPEQRh", "hashcat"],
  ["PBKDF2 of passlib, SHA-1", passlib, "$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI", "password"],
  [
    "PBKDF2 of passlib, SHA-512",
    passlib,
    "$pbkdf2-sha512$1212$RHY0Fr3IDMSVO/RSZyb5ow$eNLfBK.eVozomMr.1gYa17k9B7KIK25NOEshvhrSX.esqY3s.FvWZViXz4KoLlQI.BzY/YTNJOiKc5gBYFYGww",
    "password",
  ],
  ["LDAP {SMD5}", passlib, "{SMD5}UjFY34os/pnZQ3oQOzjqGu4yeXE=", "testing1234"],
  ["LDAP {MD5}", "Ory Kratos, hasher_test.go", "{MD5}CY9rzUYh03PK3k6DJie09g==", "test"],
  ["LDAP {SSHA}", hashcat(111), "{SSHA}FLzWcQqyle6Mo7NvrwXCMAmRzXQxNjYxMTYzNw==", "hashcat"],
  ["LDAP {SSHA256}", hashcat(1411), "{SSHA256}L5Wk0zPY2lmoR5pH20zngq37KkxFwgTquEhx95rxfVk3Ng==", "hashcat"],
  [
    "LDAP {SSHA512}",
    hashcat(1711),
    "{SSHA512}Bz8w5q6qEtB1Nnc8b1jfTvTXVTwohWag33oghQGOtLChnkZTw/cuJaHQlLJEI3AWKZGCRyLA6Phujdxo+is7AjA2MDcyNjY1Mg==",
    "hashcat",
  ],
];

const base64 = (text: string, encoding: BufferEncoding = "utf8"): string => Buffer.from(text, encoding).toString("base64");

/**
 * Hashes in parts. In the reference's import example of `salted-sha256`, the password precedes the salt and the factor counts the
 * digests.
 */
export const publicParts: readonly PublicParts[] = [
  ["salted-md5", hashcat(10), 1, base64("343141"), base64("3d83c8e717ff0e7ecfe187f088d69954", "hex"), "hashcat"],
  [
    "salted-sha256",
    hashcat(1410),
    1,
    base64("12480864321"),
    base64("5bb7456f43e3610363f68ad6de82b8b96f3fc9ad24e9d1f1f8d8bd89638db7c0", "hex"),
    "hashcat",
  ],
  [
    "salted-hmac-sha256",
    hashcat(1460),
    1,
    base64("70108387805"),
    base64("8b9472281c36c3a693703de0e0f1ffab8fc0ecdd3bc5ead04c76dd74ef431e49", "hex"),
    "hashcat",
  ],
  [
    "salted-pbkdf2-hmac-sha256",
    "the reference's load generator for imports",
    24_000,
    "huT0jZQYfZ2frJeZx29J4YTL7SWqeqAIoFQ35TdkTkI=",
    "jHsm+KgtcleCjG/jyC7SuY088G2n/2eiZyNYYEianwU=",
    "password",
  ],
  [
    "salted-pbkdf2-hmac-sha256-512",
    jhipster,
    27_500,
    "fmpBI1r8R1u75hDLMUlwBw==",
    "MbKsMgWPnZyImih8s4SaoCSCq+XIY/c6S9F93sXEidHF1TjPWxCqMkec0+o3860CMLXHt3az61cIJOWI0FW9aw==",
    "user",
  ],
  ["bcrypt", hashcat(3200), 5, "MBCzKhG1KhezLh.0LRa0Ku", "w12nLJtpHy6DIaU.JAnqJUDYspHC.Ou", "hashcat"],
  ["phpass-md5", "phpass, test program", 2_048, "IQRaTwmf", "eRo7ud9Fh4E2PdI0S3r.L0", "test12345"],
  ["phpass-sha512", hashcat(7900), 16_384, "20340258", "nzjDWpoQthrdNTR02f0pmev0K/5/Nx80WSkOQcPEQRh", "hashcat"],
];
