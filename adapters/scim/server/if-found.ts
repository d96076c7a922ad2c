import { IdentityError } from "latchkey";

/** Returns the response of an API call; undefined for 404. */
export async function ifFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof IdentityError && error.status === 404) return undefined;
    throw error;
  }
}
