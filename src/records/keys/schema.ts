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

/** A signing key on the wire (docs/reference/signing-keys.md). Its private half or secret is never shown. */
export interface Key extends BaseRecord {
  /** The algorithm that the key signs with. */
  readonly algorithm: KeyAlgorithm;
  /** X.509 in PEM. */
  readonly certificate?: string | undefined;
  /** What the certificate says; absent without one. */
  readonly certificateInformation?: CertificateInformation | undefined;
  /** When the certificate ends. */
  readonly expirationInstant?: number | undefined;
  /** Whether the private half is stored, so that the service can sign with the key. */
  readonly hasPrivateKey: boolean;
  /** A text that you gave when you generated the key. */
  readonly issuer?: string | undefined;
  /** By what tokens and verifiers name the key. */
  readonly kid: string;
  /** The bits of an RSA modulus or of an elliptic curve. */
  readonly length?: number | undefined;
  /** Unique in the service, compared without case; 1 to 191 characters. The only field that changes. */
  readonly name: string;
  /** SPKI in PEM; absent for secrets. */
  readonly publicKey?: string | undefined;
  /** The kind of key. */
  readonly type: KeyType;
}

/** The body of a POST that generates a key. */
export interface GenerateKeyRequest {
  /** The key to generate: `algorithm` and `name` are required, and `length` for RSA. */
  readonly key: {
    /** The algorithm, which decides the type of the key: `RS256`, `ES256`, `HS256` and so on. */
    readonly algorithm: GeneratedAlgorithm;
    /** Unique in the service, 1 to 191 characters. */
    readonly name: string;
    /** 2048, 3072 or 4096; for RSA, where it is required. */
    readonly length?: number | undefined;
    /** The issuer that the key shows; free text. */
    readonly issuer?: string | undefined;
  };
}

/** The body of a POST that imports a key: some of certificate, public and private key, or a secret. */
export interface ImportKeyRequest {
  /** The parts of the key, which must belong together, and its unique name. */
  readonly key: KeyParts & {
    /** Unique in the service, 1 to 191 characters. */
    readonly name: string;
    /** By default the thumbprint of the public key (RFC 7638), and a random text for a secret. */
    readonly kid?: string | undefined;
  };
}

/** The body of PUT: nothing else of a key changes. */
export interface UpdateKeyRequest {
  /** The new name: unique in the service, 1 to 191 characters. */
  readonly key: { readonly name: string };
}

/** A request once its key was generated or checked, before which there is no material. */
export type WithMaterial<Request> = Request & { readonly material?: KeyMaterial };

/** The longest PEM text; an RSA key of 8192 bits takes less than half. */
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
    // Validated even when other members are wrong, so that all errors are reported at once.
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

/** Everything that a key can be made of, by generation or import. */
export const newKeyRequest: Schema<unknown> = object({
  key: object({ ...keyShape(generateKeyRequest), ...keyShape(importKeyRequest) }),
});

function keyShape(schema: Schema<unknown>): Record<string, Schema<unknown>> {
  const { shape } = schema as Schema<unknown> & {
    readonly shape: { readonly key: { readonly shape: Record<string, Schema<unknown>> } };
  };
  return shape.key.shape;
}
