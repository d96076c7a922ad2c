import { SignInError } from "latchkey";
import { expect } from "vitest";

/** Expects that a login is refused, and that the caller does not learn more. Returns the reason in the log. */
export async function expectRefused(login: Promise<unknown>): Promise<string> {
  const thrown: unknown = await login.then(
    (user) => ({ accepted: user }),
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(SignInError);
  const { cause, reason } = thrown as SignInError;
  expect(reason).toBe("refused");
  return cause instanceof Error ? cause.message : (thrown as SignInError).message;
}
