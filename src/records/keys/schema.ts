import { describeOptions } from "../../errors/codes.js";
import { integer, link, maxNameLength, name, object, option, requiredText, type Schema } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import {
  algorithms,
  type GeneratedAlgorithm,
  generatedAlgorithms,
  type KeyAlgorithm,
  type KeyType,
  keyAlgorithms,
  keyTypes,
  rsaLengths,
} from "../../security/keys/algorithms.js";
import type { CertificateInformation } from "../../security/keys/certificate.js";
import type { KeyParts } from "../../security/keys/import-key.js";
import type { KeyMaterial } from "../../security/keys/public-key-data.js";

/** A signing key on the wire (docs/reference/signing-keys.md), without its private half or secret. */
export interface Key extends BaseRecord {
  /** The algorithm that the key signs with. */
  readonly algorithm: KeyAlgorithm;
  /** An X.509 certificate in PEM. */
  readonly certificate?: string | undefined;
  /** The contents of the certificate; absent without one. */
  readonly certificateInformation?: CertificateInformation | undefined;
  /** The end of the certificate, in epoch milliseconds. */
  readonly expirationInstant?: number | undefined;
  /** Whether the private half is stored, so that the service can sign with the key. */
  readonly hasPrivateKey: boolean;
  /** Free text from the generation of the key. */
  readonly issuer?: string | undefined;
  /** The key id in tokens and the JWKS. */
  readonly kid: string;
  /** The size of an RSA modulus or an elliptic curve, in bits. */
  readonly length?: number | undefined;
  /** Unique in the service, compared without case; 1 to 191 characters. The only field that changes. */
  readonly name: string;
  /** The public key as SPKI in PEM; absent for secrets. */
  readonly publicKey?: string | undefined;
  /** The type of key. */
  readonly type: KeyType;
}

/** The body of a POST that generates a key. */
export interface GenerateKeyRequest {
  /** The key to generate: `algorithm` and `name` are required, and `length` for RSA. */
  readonly key: {
    /** The algorithm, which determines the type of the key: `RS256`, `ES256`, `HS256` and so on. */
    readonly algorithm: GeneratedAlgorithm;
    /** Unique in the service, 1 to 191 characters. */
    readonly name: string;
    /** 2048, 3072 or 4096. Required for RSA, and for RSA only. */
    readonly length?: number | undefined;
    /** The issuer of the key; free text. */
    readonly issuer?: string | undefined;
  };
}

/** The body of a POST that imports a key: a certificate, public and private key, or a secret. */
export interface ImportKeyRequest {
  /** The parts of the key, which must belong together, and its unique name. */
  readonly key: KeyParts & {
    /** Unique in the service, 1 to 191 characters. */
    readonly name: string;
    /** Default: the thumbprint of the public key (RFC 7638), or a random text for a secret. */
    readonly kid?: string | undefined;
  };
}

/** The body of PUT: only the name of a key can change. */
export interface UpdateKeyRequest {
  /** The new name: unique in the service, 1 to 191 characters. */
  readonly key: { readonly name: string };
}

/** A request with the key material, after the key was generated or checked. */
export type WithMaterial<Request> = Request & { readonly material?: KeyMaterial };

/** The maximum length of a PEM text; an RSA key of 8192 bits takes less than half. */
const maxPemLength = 16_384;
const maxSecretLength = 4_096;

const always = (): boolean => true;

export const generateKeyRequest: Schema<WithMaterial<GenerateKeyRequest>> = object({
  key: object({
    algorithm: option(generatedAlgorithms),
    name: name(),
    length: integer(0, Number.MAX_SAFE_INTEGER).optional(),
    issuer: link(maxNameLength).optional(),
  })
    // Runs even if other members are invalid, so that one response reports all errors.
    .refine((key) => !isRsa(key) || key.length !== undefined, { path: ["length"], error: "missing", when: always })
    .refine((key) => !isRsa(key) || typeof key.length !== "number" || rsaLengths.includes(key.length), {
      path: ["length"],
      error: "invalidOption",
      params: { explanation: describeOptions(rsaLengths) },
      when: always,
    }),
});

const rsaAlgorithms: readonly unknown[] = generatedAlgorithms.filter((algorithm) => algorithms[algorithm].type === "RSA");

function isRsa(key: { readonly algorithm?: unknown } | undefined): boolean {
  return rsaAlgorithms.includes(key?.algorithm);
}

export const importKeyRequest: Schema<WithMaterial<ImportKeyRequest>> = object({
  key: object({
    algorithm: option(keyAlgorithms).optional(),
    certificate: requiredText(maxPemLength).optional(),
    kid: name().optional(),
    name: name(),
    privateKey: requiredText(maxPemLength).optional(),
    publicKey: requiredText(maxPemLength).optional(),
    secret: requiredText(maxSecretLength).optional(),
    type: option(keyTypes).optional(),
  }),
});

export const updateKeyRequest: Schema<UpdateKeyRequest> = object({ key: object({ name: name() }) });

/** The members of both `generate` and `import`. */
export const newKeyRequest: Schema<unknown> = object({
  key: object({ ...keyShape(generateKeyRequest), ...keyShape(importKeyRequest) }),
});

function keyShape(schema: Schema<unknown>): Record<string, Schema<unknown>> {
  const { shape } = schema as Schema<unknown> & {
    readonly shape: { readonly key: { readonly shape: Record<string, Schema<unknown>> } };
  };
  return shape.key.shape;
}
