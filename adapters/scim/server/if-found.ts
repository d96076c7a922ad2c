import { IdentityError } from "latchkey";

/** Returns what a call of the API answers; undefined where it refuses because there is no such record. */
export async function ifFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof IdentityError && error.status === 404) return undefined;
    throw error;
  }
}
