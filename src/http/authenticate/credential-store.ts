import type { ApiKeyPrincipal } from "./principal.js";

/** Looks up what was presented. Supplied by the service, so that authentication knows no resource. */
export interface CredentialStore {
  /** The key with this digest (see `secrets/digest.ts`), expired or not. */
  findApiKey(digest: string): Promise<ApiKeyPrincipal | undefined>;
  /** Notes that a key was used. Must not wait for anything. */
  noteUse(keyId: string, instant: number, address: string | undefined): void;
}
