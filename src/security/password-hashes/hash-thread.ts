/** The thread that computes hashes for which Node has no asynchronous function. Started by its path, so that it imports packages only. */
import { createHmac, hash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { hashSync } from "bcryptjs";

/** A hash that is computed in rounds. */
export interface RoundsTask {
  /**
   * `salted`: the digest of password and salt, then of itself. `keyed`: the same by HMAC with the salt as the key. `phpass`: the digest of salt
   * and password, then of itself and the password.
   */
  readonly kind: "keyed" | "phpass" | "salted";
  readonly digest: string;
  readonly rounds: number;
  readonly salt: Uint8Array;
  readonly password: string;
}

/** A bcrypt hash; the salt is the text before the hash, such as `$2b$10$` and 22 characters. */
export interface BcryptTask {
  readonly kind: "bcrypt";
  readonly salt: string;
  readonly password: string;
}

/** What the thread computes. */
export type HashTask = BcryptTask | RoundsTask;

/** A task under its number. */
export interface HashCall {
  readonly id: number;
  readonly task: HashTask;
}

/** The result of a task; undefined where the library refuses it. */
export interface HashResult {
  readonly id: number;
  readonly result: Uint8Array | undefined;
}

function compute(task: HashTask): Uint8Array {
  if (task.kind === "bcrypt") return Buffer.from(hashSync(task.password, task.salt).slice(-31));
  const { digest, rounds, salt } = task;
  const password = Buffer.from(task.password);
  const digestOf = (...parts: Uint8Array[]): Buffer => hash(digest, Buffer.concat(parts), "buffer");
  const next: Record<RoundsTask["kind"], (last: Uint8Array) => Buffer> = {
    keyed: (last) => createHmac(digest, salt).update(last).digest(),
    phpass: (last) => digestOf(last, password),
    salted: (last) => digestOf(last),
  };
  let result = {
    keyed: () => next.keyed(password),
    phpass: () => digestOf(salt, password),
    salted: () => digestOf(password, salt),
  }[task.kind]();
  const more = task.kind === "phpass" ? rounds : rounds - 1;
  for (let round = 0; round < more; round++) result = next[task.kind](result);
  return result;
}

function tryCompute(task: HashTask): Uint8Array | undefined {
  try {
    return compute(task);
  } catch {
    return undefined;
  }
}

parentPort?.on("message", ({ id, task }: HashCall) => {
  parentPort?.postMessage({ id, result: tryCompute(task) } satisfies HashResult);
});
