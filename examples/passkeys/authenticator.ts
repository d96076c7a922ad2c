/** What a browser and its authenticator do, in a few lines: for examples without a browser. One passkey, ES256, without attestation. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a browser returns, as far as a page sends it. */
interface PageCredential {
  readonly toJSON: () => object;
}

interface Options {
  readonly challenge: string;
  readonly user?: { readonly id: string };
}

const flags = { attested: 0x40, present: 1, verified: 4 };
const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();
const text = (data: Uint8Array): string => Buffer.from(data).toString("base64url");

/** A page with an authenticator: what `navigator.credentials` is to a page of `https://<domain>`. */
export function createAuthenticator(domain: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let userHandle: string | undefined;

  const clientData = (type: string, { challenge }: Options): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: `https://${domain}`, crossOrigin: false }));
  const authenticatorData = (flag: number): Buffer => Buffer.concat([sha256(domain), Buffer.from([flag, 0, 0, 0, 0])]);
  const toCredential = (response: object) => ({
    toJSON: () => ({ clientExtensionResults: {}, id: text(id), rawId: text(id), response, type: "public-key" as const }),
  });

  // COSE (RFC 9053) in CBOR (RFC 8949): a map of five pairs.
  function toCose(): Buffer {
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const bytes = (value: string): Buffer => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, "base64url")]);
    return Buffer.concat([Buffer.from("a5010203262001", "hex"), Buffer.from([0x21]), bytes(x), Buffer.from([0x22]), bytes(y)]);
  }

  function toAttestation(): Buffer {
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, toCose()]);
    const data = Buffer.concat([authenticatorData(flags.present | flags.verified | flags.attested), attested]);
    const name = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
    const pairs = [
      name("fmt"),
      name("none"),
      name("attStmt"),
      Buffer.from([0xa0]),
      name("authData"),
      Buffer.from([0x58, data.length]),
      data,
    ];
    return Buffer.concat([Buffer.from([0xa3]), ...pairs]);
  }

  return {
    async create({ publicKey: options }: { readonly publicKey: Options }): Promise<PageCredential> {
      userHandle = options.user?.id;
      const clientDataJSON = text(clientData("webauthn.create", options));
      return toCredential({ attestationObject: text(toAttestation()), clientDataJSON, transports: ["internal"] });
    },
    async get({ publicKey: options }: { readonly publicKey: Options }): Promise<PageCredential> {
      const clientDataJSON = clientData("webauthn.get", options);
      const data = authenticatorData(flags.present | flags.verified);
      const signature = text(sign("sha256", Buffer.concat([data, sha256(clientDataJSON)]), privateKey));
      return toCredential({ authenticatorData: text(data), clientDataJSON: text(clientDataJSON), signature, userHandle });
    },
  };
}
