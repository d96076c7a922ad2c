import { sampleArguments } from "../../../src/lambdas/types/sample-arguments.js";
import { isKind } from "./completions.js";

interface Person {
  readonly registrations?: readonly unknown[] | undefined;
}

/** Sample arguments of a kind; what the service fills in by itself is among them. */
export function sampleFor(type: string): unknown {
  return isKind(type) ? sampleArguments(type) : {};
}

/** Arguments with a real user in place of the sample, and with one of its registrations. */
export function withUser(given: Readonly<Record<string, unknown>> | string, user: Person): Readonly<Record<string, unknown>> {
  const others = typeof given === "string" ? {} : given;
  const registration = user.registrations?.[0];
  return { ...others, user, ...("registration" in others && { registration: registration ?? null }) };
}
