import { hash } from "node:crypto";
import type { LambdaArguments } from "../../availability/lambda-types.js";
import type { Random } from "../../ports/runtime.js";
import { generateNumber } from "../../shared/default-runtime.js";
import { isObjectOrList } from "../../shared/objects.js";

interface Rollout {
  readonly percent: number;
  readonly random: Random;
}

/** Whether a run is in the share of a rollout: always the same for one user and lambda, at random for runs without a user. */
export function isInRollout(lambdaId: string, { user }: LambdaArguments, { percent, random }: Rollout): boolean {
  const userId = isObjectOrList(user) ? (user as { readonly id?: unknown }).id : undefined;
  const position = typeof userId === "string" ? positionOf(`${lambdaId} ${userId}`) : generateNumber(random);
  return position * 100 < percent;
}

// From 0 to 1, without 1.
function positionOf(text: string): number {
  return hash("sha256", text, "buffer").readUInt32BE() / 2 ** 32;
}
