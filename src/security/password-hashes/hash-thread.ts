/** The worker for hashes without an asynchronous function in Node. Started by path, so it imports packages only. */
import { createHmac, createSecretKey, hash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { hashSync } from "bcryptjs";

/** A hash of several rounds. */
export interface RoundsTask {
  /**
   * `digest`: the digest of a message, then of itself. `hmac`: the same with HMAC. `phpass`: the digest of a message, then of
   * itself and the key.
   */
  readonly kind: "digest" | "hmac" | "phpass";
  readonly digest: string;
  readonly rounds: number;
  /** The password and the salt. */
  readonly message: Uint8Array;
  /** The key of `hmac`, and the password of `phpass`. */
  readonly key: Uint8Array;
}

/** A bcrypt hash; the salt includes the prefix, such as `$2b$10$` and 22 characters. */
export interface BcryptTask {
  readonly kind: "bcrypt";
  readonly salt: string;
  readonly password: string;
}

/** A task of the worker. */
export type HashTask = BcryptTask | RoundsTask;

/** A task with its id. */
export interface HashCall {
  readonly id: number;
  readonly task: HashTask;
}

/** The result of a task; undefined if the library refuses it. */
export interface HashResult {
  readonly id: number;
  readonly result: Uint8Array | undefined;
}

function compute(task: HashTask): Uint8Array {
  if (task.kind === "bcrypt") return Buffer.from(hashSync(task.password, task.salt).slice(-31));
  const { digest, key, kind, message, rounds } = task;
  // With the bytes alone, each round would import the key again, five times as slow.
  const secret = createSecretKey(key);
  const nextOf: Record<RoundsTask["kind"], (last: Uint8Array) => Buffer> = {
    digest: (last) => hash(digest, last, "buffer"),
    hmac: (last) => createHmac(digest, secret).update(last).digest(),
    phpass: (last) => hash(digest, Buffer.concat([last, key]), "buffer"),
  };
  let result = nextOf[kind === "hmac" ? kind : "digest"](message);
  const more = kind === "phpass" ? rounds : rounds - 1;
  for (let round = 0; round < more; round++) result = nextOf[kind](result);
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
