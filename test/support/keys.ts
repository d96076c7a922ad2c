import { createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject, type KeyPairKeyObjectResult } from "node:crypto";
import type { GenerateKeyRequest } from "latchkey/types";
import { type Answer, expectOk } from "./answer.js";
import type { Caller } from "./caller.js";
import { newRsaPair, pairOfRun } from "./pairs-of-run.js";

/** A pair with a self-signed certificate. The expected values come from the command of OpenSSL. */
export const signer = {
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFXSyytfM4Z7iedUP
JXM1LRbiJcVlw4VpiDh8+h54vkmhRANCAAQii84veVu6xmxRw5CWQPFeAlrT5MJM
ifdpMmie5U8VU62VK2b+5VMRON5Sx7zhbAmzsRNwXhXl5//xRqdGCNjM
-----END PRIVATE KEY-----`,
  certificate: `-----BEGIN CERTIFICATE-----
MIIByDCCAW2gAwIBAgIGHy49TFtqMAoGCCqGSM49BAMCMD8xCzAJBgNVBAYTAkRF
MRMwEQYDVQQKDApBY21lLCBJbmMuMRswGQYDVQQDDBJzaWduZXIuZXhhbXBsZS5j
b20wIBcNMjYxMTIxMTgwNDI0WhgPMjEyNjEwMjgxODA0MjRaMD8xCzAJBgNVBAYT
AkRFMRMwEQYDVQQKDApBY21lLCBJbmMuMRswGQYDVQQDDBJzaWduZXIuZXhhbXBs
ZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQii84veVu6xmxRw5CWQPFe
AlrT5MJMifdpMmie5U8VU62VK2b+5VMRON5Sx7zhbAmzsRNwXhXl5//xRqdGCNjM
o1MwUTAdBgNVHQ4EFgQUzjxJTGJC4kSYY9tNgMAYXqggI1cwHwYDVR0jBBgwFoAU
zjxJTGJC4kSYY9tNgMAYXqggI1cwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQD
AgNJADBGAiEA97UaGrOaqEOWDDBxlVnSN27EpGGV0rPlO+A1mdiHxa8CIQD177im
vlYVq7ApnUVLDlrURDuLfKPlVOgi+Ajq4Qk2IQ==
-----END CERTIFICATE-----`,
  publicKey: `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEIovOL3lbusZsUcOQlkDxXgJa0+TC
TIn3aTJonuVPFVOtlStm/uVTETjeUse84WwJs7ETcF4V5ef/8UanRgjYzA==
-----END PUBLIC KEY-----`,
  certificateInformation: {
    issuer: "CN=signer.example.com,O=Acme\\, Inc.,C=DE",
    md5Fingerprint: "2B:16:5A:D6:5B:59:D2:2F:A0:A8:5D:1D:69:35:88:EC",
    serialNumber: "1F2E3D4C5B6A",
    sha1Fingerprint: "E0:05:56:88:60:0E:60:C0:EE:50:40:D0:25:E5:DF:F5:93:CF:13:80",
    sha1Thumbprint: "4AVWiGAOYMDuUEDQJeXf9ZPPE4A",
    sha256Fingerprint: "64:6D:DB:A0:B5:D0:E9:68:68:AC:30:F2:A3:81:34:F2:32:4D:70:C4:AE:9D:5A:AD:90:77:0F:7B:7B:14:AD:11",
    sha256Thumbprint: "ZG3boLXQ6WhorDDyo4E08jJNcMSunVqtkHcPe3sUrRE",
    subject: "CN=signer.example.com,O=Acme\\, Inc.,C=DE",
    validFrom: 1_795_284_264_000,
    validTo: 4_948_884_264_000,
  },
} as const;

/** The key of RFC 7638, 3.1, and its thumbprint. */
export const rsaVector = {
  jwk: {
    kty: "RSA",
    n: "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
    e: "AQAB",
  },
  thumbprint: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
};

/** The key of RFC 8037, A.2, and its thumbprint. */
export const edVector = {
  jwk: { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" },
  thumbprint: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
};

/** A public key as PEM. */
export function toPem(jwk: JsonWebKey): string {
  return publicPem(createPublicKey({ key: jwk, format: "jwk" }));
}

/** A pair as PEM. */
export interface PemPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A fresh pair on an elliptic curve. */
export function ecPair(namedCurve = "P-256"): PemPair {
  return toPemPair(generateKeyPairSync("ec", { namedCurve }));
}

/** An RSA pair that differs from the five before it. */
export function rsaPair(modulusLength = 2_048, publicExponent = 65_537): PemPair {
  return toPemPair(newRsaPair(modulusLength, publicExponent));
}

/** An RSA pair that the tests of a run share, because generating one is slow. */
export function sharedRsaPair(number: 0 | 1 | 2 | 3): KeyPairKeyObjectResult {
  return pairOfRun(number);
}

/** A fresh Ed25519 pair. */
export function edPair(): PemPair {
  return toPemPair(generateKeyPairSync("ed25519"));
}

/** A pair as PEM, without trailing line ends. */
export function toPemPair(pair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }): PemPair {
  const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString().trimEnd();
  return { publicKey: publicPem(pair.publicKey), privateKey };
}

function publicPem(key: KeyObject): string {
  return key.export({ type: "spki", format: "pem" }).toString().trimEnd();
}

/** Generates a key over HTTP, by default a secret. */
export async function generate(caller: Caller, key: Partial<GenerateKeyRequest["key"]> = {}, keyId = ""): Promise<Answer> {
  const body = { key: { algorithm: "HS256", name: `Key ${keyId}`, ...key } };
  return expectOk(await caller.post(`/api/key/generate/${keyId}`, body));
}

/** Names a key for a tenant's access tokens: it verifies them from now on, even if the tenant names another one later. */
export async function nameForTokens(caller: Caller, tenantId: string, keyId: string): Promise<void> {
  const jwtConfiguration = { accessTokenKeyId: keyId };
  expectOk(await caller.patch(`/api/tenant/${tenantId}`, { tenant: { jwtConfiguration } }));
}

/** Imports a key over HTTP. */
export async function importKey(caller: Caller, key: Readonly<Record<string, unknown>>, keyId = ""): Promise<Answer> {
  return expectOk(await caller.post(`/api/key/import/${keyId}`, { key: { name: `Imported ${keyId}`, ...key } }));
}
