import { EncryptJWT, jwtDecrypt } from "jose";
import type { ProtocolHost } from "latchkey/ports";

/** What is known of a login while its user is with the pages. It travels encrypted, and comes back by the browser that began it. */
export interface LoginState {
  readonly applicationId: string;
  readonly tenantId: string;
  readonly consumerUrl: string;
  readonly requestId?: string | undefined;
  readonly nameIdFormat?: string | undefined;
  /** The classes of logins that the application is content with; undefined for any. */
  readonly contexts?: readonly string[] | undefined;
  readonly relayState?: string | undefined;
  readonly isPassive: boolean;
  /** The code verifier of PKCE (RFC 7636). */
  readonly codeVerifier: string;
  /** What the cookie of the browser holds. */
  readonly nonce: string;
}

/** How long a login may take. */
export const lifetimeSeconds = 3_600;

const purpose = "SAML login state";

/** Writes a state: a JWE that only this service opens. */
export async function sealState(host: ProtocolHost, state: LoginState): Promise<string> {
  const [secret = ""] = host.deriveSecrets(purpose);
  const expiration = Math.floor(host.clock() / 1_000) + lifetimeSeconds;
  return new EncryptJWT({ ...state })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setExpirationTime(expiration)
    .encrypt(Buffer.from(secret, "base64url"));
}

/** Opens a state; undefined for one that was changed, or is older than an hour. */
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
