import type { BcryptTask, RoundsTask } from "./hash-thread.js";

/** A parsed hash. */
export type PasswordHash =
  | {
      readonly kind: "argon2";
      readonly text: string;
      readonly memoryKib: number;
      readonly passes: number;
      readonly lanes: number;
    }
  | (Omit<BcryptTask, "password"> & {
      readonly cost: number;
      readonly hash: Uint8Array;
      /** Transforms the password first. */
      readonly prepare: (password: string) => string;
    })
  | (Pick<RoundsTask, "digest" | "kind" | "rounds"> & {
      readonly salt: Uint8Array;
      /** Whether the salt precedes the password. */
      readonly isSaltFirst: boolean;
      readonly hash: Uint8Array;
      /** The key of `hmac`. */
      readonly key?: Uint8Array;
      /** The encoding of the password. Default: UTF-8. */
      readonly encoding?: BufferEncoding;
    })
  | {
      readonly kind: "pbkdf2";
      readonly digest: string;
      readonly rounds: number;
      readonly salt: Uint8Array;
      readonly hash: Uint8Array;
    }
  | {
      readonly kind: "scrypt";
      readonly cost: number;
      readonly blockSize: number;
      readonly lanes: number;
      readonly salt: Uint8Array;
      readonly hash: Uint8Array;
      /** Firebase encrypts this key with the derived key, and stores the result. */
      readonly signerKey?: Uint8Array;
    };

/** The maximum numbers of rounds. Each takes about a second at most. */
export const maxRounds = { bcryptCost: 14, pbkdf2: 5_000_000, rounds: 500_000, phpass: 131_072 } as const;

const isWithin = (value: number, maximum: number): boolean => Number.isSafeInteger(value) && value >= 1 && value <= maximum;

const isPart = (bytes: Uint8Array, minimum: number): boolean => bytes.length >= minimum && bytes.length <= 1_024;

/** Whether checking a hash takes at most about a second and 256 MiB, and its parts have possible lengths. */
export function isWithinLimits(hash: PasswordHash): boolean {
  switch (hash.kind) {
    case "argon2":
      return isWithinLimitsArgon2(hash);
    case "bcrypt":
      return hash.cost >= 4 && hash.cost <= maxRounds.bcryptCost;
    case "pbkdf2":
      return isWithin(hash.rounds, maxRounds.pbkdf2) && isPart(hash.hash, 16) && isPart(hash.salt, 1);
    case "scrypt":
      return isWithinLimitsScrypt(hash);
    case "phpass":
      return isWithin(hash.rounds, maxRounds.phpass) && isPart(hash.hash, 16);
    default:
      return isWithin(hash.rounds, maxRounds.rounds) && isPart(hash.hash, 16) && isPart(hash.salt, 0);
  }
}

const maxMemoryBytes = 268_435_456;

function isWithinLimitsArgon2({ lanes, memoryKib, passes }: Extract<PasswordHash, { kind: "argon2" }>): boolean {
  const isPossible = isWithin(lanes, 16) && isWithin(memoryKib, maxMemoryBytes / 1_024) && memoryKib >= 8 * lanes;
  return isPossible && isWithin(passes, 64) && passes * memoryKib <= 1_048_576;
}

function isWithinLimitsScrypt({ blockSize, cost, hash, lanes, salt }: Extract<PasswordHash, { kind: "scrypt" }>): boolean {
  const isPossible = isWithin(cost, 2 ** 20) && cost > 1 && Number.isInteger(Math.log2(cost)) && isWithin(blockSize, 64);
  const isLight = isWithin(lanes, 16) && 128 * blockSize * cost <= maxMemoryBytes && lanes * blockSize * cost <= 2 ** 22;
  return isPossible && isLight && isPart(hash, 16) && isPart(salt, 1);
}
