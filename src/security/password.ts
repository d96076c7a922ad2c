import { lazily } from "../shared/async.js";
import type { HostPasswords } from "./password-hashes/host-passwords.js";
import { loadArgon2 } from "./password-hashes/load-argon2.js";

// Only hashes that were imported need the rest.
const loadOthers = lazily(() => import("./password-hashes/compute-hash.js"));

/** Cost of a password: Argon2id with 19 MiB, two passes, one lane – the lower bound that OWASP recommends. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A salted Argon2id hash in PHC form. Takes some milliseconds on another thread: call it outside of transactions. */
export function hashPassword(password: string): Promise<string> {
  return loadArgon2().hash(password, cost);
}

// Of the same cost, and the hash of no password that anybody will find.
const nobodysHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Whether the password is the one that was hashed. Without a hash it is not, and finding that out takes as long. */
export async function verifyPassword(password: string, hashed: string = nobodysHash, host?: HostPasswords): Promise<boolean> {
  if (hashed.startsWith("$argon2")) return loadArgon2().verify(hashed, password);
  const byHost = host?.matches(password, hashed);
  if (byHost !== undefined) return byHost;
  return (await loadOthers()).matchesHash(password, hashed);
}

/** Whether a hash was imported and is weaker than those that {@link hashPassword} makes, or of another kind. */
export function isWeakHash(hashed: string): boolean {
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hashed) ?? [];
  return memory === undefined || Number(memory) < cost.memoryCost || Number(passes) < cost.timeCost;
}
