import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { createCertificate } from "../../../adapters/saml/signatures/self-signed-certificate.js";
import { servicePair, strangerPair } from "../support/keys.js";

test("a certificate holds the public key, and is signed by it", () => {
  const certificate = new X509Certificate(createCertificate(servicePair.privateKey, "key-1"));
  expect(certificate.subject).toBe("CN=key-1");
  expect(certificate.issuer).toBe("CN=key-1");
  expect(certificate.verify(servicePair.publicKey)).toBe(true);
  expect(certificate.verify(strangerPair.publicKey)).toBe(false);
  expect(certificate.publicKey.equals(servicePair.publicKey)).toBe(true);
  expect(certificate.validToDate.getUTCFullYear()).toBe(9999);
  expect(certificate.serialNumber).toMatch(/^[4-7]/);
});

test("the same key gives the same certificate", () => {
  expect(createCertificate(servicePair.privateKey, "a")).toBe(createCertificate(servicePair.privateKey, "a"));
});

test("large keys have certificates too, and other keys have none", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 3_072 });
  expect(new X509Certificate(createCertificate(privateKey, "x".repeat(80))).verify(publicKey)).toBe(true);
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
  expect(() => createCertificate(other.privateKey, "a")).toThrow("RSA");
});
