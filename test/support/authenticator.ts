import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** The flags of authenticator data (Web Authentication, 6.1). */
export const flagBits = { userPresent: 1, userVerified: 4, backupEligible: 8, backedUp: 16, attested: 64 } as const;

/** The changes of a test to an answer; the default is that of a real browser and authenticator. */
export interface AnswerChanges {
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  /** Bits of {@link flagBits}, without `attested`. Default: present and verified. */
  readonly flags?: number;
  readonly origin?: string;
  /** The domain to sign for. */
  readonly rpId?: string;
  readonly signCount?: number;
  readonly type?: string;
}

type Cose = Map<number, number | Uint8Array>;

interface KeyKind {
  readonly alg: number;
  readonly hash: string | undefined;
  readonly make: () => { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
}

type Make = KeyKind["make"];

const curve =
  (namedCurve: string): Make =>
  () =>
    generateKeyPairSync("ec", { namedCurve });
const rsa =
  (modulusLength: number): Make =>
  () =>
    generateKeyPairSync("rsa", { modulusLength });

/** The name of a key type. */
export type KeyKindName = "ES256" | "ES384" | "ES512" | "EdDSA" | "RS256" | "RS384" | "RS512" | "weakRS256" | "RS1";

/** The key types of authenticators, and two that the service refuses. */
export const keyKinds: Readonly<Record<KeyKindName, KeyKind>> = {
  ES256: { alg: -7, hash: "sha256", make: curve("P-256") },
  ES384: { alg: -35, hash: "sha384", make: curve("P-384") },
  ES512: { alg: -36, hash: "sha512", make: curve("P-521") },
  EdDSA: { alg: -8, hash: undefined, make: () => generateKeyPairSync("ed25519") },
  RS256: { alg: -257, hash: "sha256", make: rsa(2_048) },
  RS384: { alg: -258, hash: "sha384", make: rsa(2_048) },
  RS512: { alg: -259, hash: "sha512", make: rsa(2_048) },
  weakRS256: { alg: -257, hash: "sha256", make: rsa(1_024) },
  RS1: { alg: -65_535, hash: "sha1", make: rsa(2_048) },
};

const curves: Readonly<Record<string, number>> = { "P-256": 1, "P-384": 2, "P-521": 3, Ed25519: 6 };

function toCose(key: KeyObject, alg: number): Cose {
  const { crv = "", e = "", kty = "", n = "", x = "", y } = key.export({ format: "jwk" });
  const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64url"));
  if (kty === "RSA")
    return new Map<number, number | Uint8Array>([
      [1, 3],
      [3, alg],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ]);
  const cose: Cose = new Map<number, number | Uint8Array>([
    [1, kty === "OKP" ? 1 : 2],
    [3, alg],
    [-1, curves[crv] ?? 0],
    [-2, bytes(x)],
  ]);
  return y === undefined ? cose : cose.set(-3, bytes(y));
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: string | Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

/** A new passkey, as a browser sends it. */
export interface MadeCredential {
  readonly clientExtensionResults: object;
  readonly id: string;
  readonly rawId: string;
  readonly response: { readonly attestationObject: string; readonly clientDataJSON: string; readonly transports: string[] };
  readonly type: "public-key";
}

/** A signature, as a browser sends it. */
export interface SignedCredential {
  readonly clientExtensionResults: object;
  readonly id: string;
  readonly rawId: string;
  readonly response: {
    readonly authenticatorData: string;
    readonly clientDataJSON: string;
    readonly signature: string;
    readonly userHandle: string | undefined;
  };
  readonly type: "public-key";
}

/** The options of the service that a test reads. */
interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

/** A software authenticator with one passkey at one page. */
export class SoftwareAuthenticator {
  readonly credentialId: string;
  readonly publicKey: KeyObject;
  signCount = 0;
  userHandle: string | undefined;
  readonly #kind: KeyKind;
  readonly #privateKey: KeyObject;
  readonly #page: { readonly origin: string; readonly rpId: string };

  constructor(
    kind: KeyKindName = "ES256",
    page: { readonly origin: string; readonly rpId: string } = testPage,
    idBytes: number = 32,
  ) {
    this.#kind = keyKinds[kind];
    ({ privateKey: this.#privateKey, publicKey: this.publicKey } = this.#kind.make());
    this.#page = page;
    this.credentialId = text(randomBytes(idBytes));
  }

  /** The public key as PEM. */
  get pem(): string {
    return String(this.publicKey.export({ format: "pem", type: "spki" }));
  }

  /** Answers creation options; `self` makes a self-signed attestation. */
  create(
    { challenge, user }: CreationOptions,
    changes: AnswerChanges & { readonly format?: "none" | "self" } = {},
  ): MadeCredential {
    this.userHandle = user.id;
    const clientDataJSON = this.#clientData("webauthn.create", challenge, changes);
    const id = Buffer.from(this.credentialId, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const key = isoCBOR.encode(toCose(this.publicKey, this.#kind.alg) as never);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, key]);
    const authData = Buffer.concat([this.#authenticatorData(changes, flagBits.attested), attested]);
    const statement = new Map<string, unknown>();
    if (changes.format === "self")
      statement.set("alg", this.#kind.alg).set("sig", this.#sign(Buffer.concat([authData, sha256(clientDataJSON)])));
    const attestation = new Map<string, unknown>([
      ["fmt", changes.format === "self" ? "packed" : "none"],
      ["attStmt", statement],
      ["authData", new Uint8Array(authData)],
    ]);
    const response = {
      attestationObject: text(isoCBOR.encode(attestation as never)),
      clientDataJSON: text(clientDataJSON),
      transports: ["internal", "hybrid"],
    };
    const clientExtensionResults = { credProps: { rk: true } };
    return { clientExtensionResults, id: this.credentialId, rawId: this.credentialId, response, type: "public-key" };
  }

  /** Answers request options with a signature. */
  get({ challenge }: { readonly challenge: string }, changes: AnswerChanges = {}): SignedCredential {
    const clientDataJSON = this.#clientData("webauthn.get", challenge, changes);
    const authenticatorData = this.#authenticatorData(changes, 0);
    const signature = this.#sign(Buffer.concat([authenticatorData, sha256(clientDataJSON)]));
    const response = {
      authenticatorData: text(authenticatorData),
      clientDataJSON: text(clientDataJSON),
      signature: text(signature),
      userHandle: this.userHandle,
    };
    return { clientExtensionResults: {}, id: this.credentialId, rawId: this.credentialId, response, type: "public-key" };
  }

  #clientData(type: string, challenge: string, changes: AnswerChanges): Buffer {
    const { origin = this.#page.origin, crossOrigin = false } = changes;
    return Buffer.from(
      JSON.stringify({ type: changes.type ?? type, challenge: changes.challenge ?? challenge, origin, crossOrigin }),
    );
  }

  #authenticatorData(changes: AnswerChanges, further: number): Buffer {
    const { flags = flagBits.userPresent | flagBits.userVerified, rpId = this.#page.rpId } = changes;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(changes.signCount ?? this.signCount);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | further]), count]);
  }

  #sign(bytes: Uint8Array): Uint8Array {
    return new Uint8Array(sign(this.#kind.hash, bytes, this.#privateKey));
  }
}

/** The origin of the tests. */
export const testPage = { origin: "https://example.com", rpId: "example.com" };
