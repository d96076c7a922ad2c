import { EncryptJWT, jwtDecrypt } from "jose";
import type { ProtocolHost } from "latchkey/ports";

/** The state of a login while the user visits the pages. It travels encrypted through the browser that started the login. */
export interface LoginState {
  readonly applicationId: string;
  readonly tenantId: string;
  readonly consumerUrl: string;
  readonly requestId?: string | undefined;
  readonly nameIdFormat?: string | undefined;
  /** The acceptable authentication context classes; undefined for any. */
  readonly contexts?: readonly string[] | undefined;
  readonly relayState?: string | undefined;
  readonly isPassive: boolean;
  /** The code verifier of PKCE (RFC 7636). */
  readonly codeVerifier: string;
  /** The value of the browser's cookie. */
  readonly nonce: string;
}

/** The lifetime of a login. */
export const lifetimeSeconds = 3_600;

const purpose = "SAML login state";

/** Returns a state as a JWE that only this service can decrypt. */
export async function sealState(host: ProtocolHost, state: LoginState): Promise<string> {
  const [secret = ""] = host.deriveSecrets(purpose);
  const expiration = Math.floor(host.clock() / 1_000) + lifetimeSeconds;
  return new EncryptJWT({ ...state })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setExpirationTime(expiration)
    .encrypt(Buffer.from(secret, "base64url"));
}

/** Decrypts a state; undefined for a changed state, or one older than an hour. */
export async function openState(host: ProtocolHost, sealed: string): Promise<LoginState | undefined> {
  for (const secret of host.deriveSecrets(purpose)) {
    const options = {
      currentDate: new Date(host.clock()),
      contentEncryptionAlgorithms: ["A256GCM"],
      keyManagementAlgorithms: ["dir"],
    };
    const opened = await jwtDecrypt<LoginState>(sealed, Buffer.from(secret, "base64url"), options).catch(() => undefined);
    if (opened !== undefined) return opened.payload;
  }
  return undefined;
}
