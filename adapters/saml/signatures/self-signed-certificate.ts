import { createPublicKey, hash, type KeyObject, sign } from "node:crypto";

/** Tags of DER (X.690). */
const tags = {
  integer: 0x02,
  bitString: 0x03,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
};

/** `sha256WithRSAEncryption` with its empty parameters. */
const signatureAlgorithm = Buffer.from("300d06092a864886f70d01010b0500", "hex");
const commonName = Buffer.from("0603550403", "hex");

/**
 * Returns a self-signed certificate of an RSA key, as PEM: SAML uses certificates only as containers of public keys. One key
 * gives the same certificate in every process, without an expiration (RFC 5280, 4.1.2.5), so that peers can store it.
 * @throws Error for any other kind of key.
 */
export function createCertificate(privateKey: KeyObject, name: string): string {
  if (privateKey.asymmetricKeyType !== "rsa") throw new Error("Only RSA keys sign certificates of their own.");
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const holder = encodeName(name);
  const body = sequence(
    encode(tags.version, encode(tags.integer, Buffer.of(2))),
    encode(tags.integer, serialNumberOf(publicKey)),
    signatureAlgorithm,
    holder,
    sequence(encode(tags.utcTime, Buffer.from("000101000000Z")), encode(tags.generalizedTime, Buffer.from("99991231235959Z"))),
    holder,
    publicKey,
  );
  const signature = encode(tags.bitString, Buffer.concat([Buffer.of(0), sign("sha256", body, privateKey)]));
  return toPem(sequence(body, signatureAlgorithm, signature));
}

// A positive number with a set high bit, so that it has no leading zeros, which DER omits.
function serialNumberOf(publicKey: Buffer): Buffer {
  const serial = Buffer.from(hash("sha256", publicKey, "buffer").subarray(0, 16));
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

function encodeName(name: string): Buffer {
  return sequence(encode(tags.set, sequence(commonName, encode(tags.utf8, Buffer.from(name.slice(0, 64))))));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return encode(tags.sequence, Buffer.concat(parts));
}

function encode(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), encodeLength(content.length), content]);
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

function toPem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----"].join("\n");
}
