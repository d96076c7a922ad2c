import type { AttemptKind, IdentityServiceOptions, ThrottleLimits } from "latchkey";
import { defineRoute } from "../../src/http/route/define-route.js";
import { defineOperation } from "../../src/operations/operation.js";
import { throttled } from "../../src/sessions/throttle/throttle.js";
import { addRoutes } from "./added-routes.js";
import { type Answer, expectEmpty } from "./answer.js";
import type { Caller } from "./caller.js";
import { callerAt } from "./from-address.js";
import type { World } from "./world.js";

/** The body of an attempt. */
interface Attempt {
  readonly kind: AttemptKind;
  readonly id: string;
  readonly isRight: boolean;
}

const path = "/api/attempt-of-the-tests";

/**
 * Adds an operation that makes the attempt of its body; returns a function that returns the number of runs. Call it at the top of
 * the test file.
 */
export function addAttemptRoute(): () => number {
  let tried = 0;
  const target = defineOperation("tests.attempt", [], async (call) => {
    const { kind, id, isRight } = call.body as Attempt;
    const attempt = async (): Promise<boolean> => {
      tried++;
      await new Promise(setImmediate);
      return isRight;
    };
    const isProven = await throttled(call, { kind, id }, attempt, (result) => !result);
    return { status: isProven ? 200 : 404, json: call.request === undefined ? JSON.stringify({ isProven }) : "" };
  });
  addRoutes([defineRoute({ method: "POST", path, access: "optional", target })], { tests: { attempt: target } });
  return () => tried;
}

/** Optional fields of an attempt. */
interface AttemptWords {
  readonly kind?: AttemptKind;
  readonly ipAddress?: string;
  readonly query?: string;
}

/** Makes an attempt in process; returns its result. */
export function attemptInProcess(api: object, id: string, isRight: boolean): Promise<{ readonly isProven: boolean }> {
  const { tests } = api as { tests: { attempt(input: Attempt): Promise<{ readonly isProven: boolean }> } };
  return tests.attempt({ kind: "login", id, isRight });
}

/** Low limits, without delays. */
export const few: ThrottleLimits = {
  maxFailures: 3,
  maxFailuresPerSubject: 6,
  maxFailuresPerSource: 8,
  windowSeconds: 600,
  lockSeconds: 60,
  slowAfter: 3,
  maxDelayMs: 0,
};

/** Options of a service with these limits. */
export const withFew: Partial<IdentityServiceOptions> = { throttle: { login: few, twoFactor: few, clientSecret: few } };

/** A caller without a credential at an address. */
export function callerFrom(world: World, address: string | undefined): Caller {
  return callerAt(world, address, {});
}

/** Makes failing attempts. */
export async function failAs(caller: Caller, id: string, times: number, more?: AttemptWords): Promise<void> {
  for (let count = 0; count < times; count++) expectEmpty(await attemptAs(caller, id, false, more), 404);
}

/** Makes one attempt; by default at a password. */
export function attemptAs(caller: Caller, id: string, isRight: boolean, more: AttemptWords = {}): Promise<Answer> {
  const { kind = "login", query = "", ...others } = more;
  return caller.post(path + query, { kind, id, isRight, ...others });
}
