import { sampleArguments } from "../../../src/lambdas/types/sample-arguments.js";
import { isKind } from "./completions.js";

interface Person {
  readonly registrations?: readonly unknown[] | undefined;
}

/** Returns sample arguments for a type, including those that the service would fill in by itself. */
export function sampleFor(type: string): unknown {
  return isKind(type) ? sampleArguments(type) : {};
}

/** Replaces the sample user by a real user, and the sample registration by the first registration of that user. */
export function withUser(given: Readonly<Record<string, unknown>> | string, user: Person): Readonly<Record<string, unknown>> {
  const others = typeof given === "string" ? {} : given;
  const registration = user.registrations?.[0];
  return { ...others, user, ...("registration" in others && { registration: registration ?? null }) };
}
