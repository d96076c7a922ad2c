import { randomUUID } from "node:crypto";
import type { IdentityService } from "latchkey";
import { ignore } from "../../internal/async.js";

/** How long the key of a command is good, unless the command renews it. */
const keyMs = 600_000;

/** Runs `work` with an API key of its own, which is removed afterwards. The key that a killed command leaves behind expires in 10 minutes. */
export async function withTemporaryKey<T>(identity: IdentityService, work: (key: string) => Promise<T>): Promise<T> {
  const lifetime = (): { readonly expirationInstant: number } => ({ expirationInstant: Date.now() + keyMs });
  const name = `latchkey users ${randomUUID()}`;
  const { apiKey } = await identity.apiKeys.create({ apiKey: { name, retrievable: false, ...lifetime() } });
  const keyId = apiKey.id;
  // What fails is tried again before the key expires.
  const renew = (): void => void identity.apiKeys.patch({ keyId, patch: { apiKey: lifetime() } }).catch(ignore);
  const renewal = setInterval(renew, keyMs / 5).unref();
  try {
    return await work(apiKey.key ?? "");
  } finally {
    clearInterval(renewal);
    await identity.apiKeys.remove({ keyId });
  }
}
