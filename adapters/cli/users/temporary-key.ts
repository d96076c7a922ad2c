import { randomUUID } from "node:crypto";
import type { IdentityService } from "latchkey";
import { ignore } from "../../internal/async.js";

/** The lifetime of a command's key, in milliseconds, unless renewed. */
const keyMs = 600_000;

/** Runs `work` with a temporary API key and removes it afterwards. The key of a killed command expires in 10 minutes. */
export async function withTemporaryKey<T>(identity: IdentityService, work: (key: string) => Promise<T>): Promise<T> {
  const lifetime = (): { readonly expirationInstant: number } => ({ expirationInstant: Date.now() + keyMs });
  const name = `latchkey users ${randomUUID()}`;
  const { apiKey } = await identity.apiKeys.create({ apiKey: { name, retrievable: false, ...lifetime() } });
  const keyId = apiKey.id;
  // A failed renewal is repeated before the key expires.
  const renew = (): void => void identity.apiKeys.patch({ keyId, patch: { apiKey: lifetime() } }).catch(ignore);
  const renewal = setInterval(renew, keyMs / 5).unref();
  try {
    return await work(apiKey.key ?? "");
  } finally {
    clearInterval(renewal);
    await identity.apiKeys.remove({ keyId });
  }
}
