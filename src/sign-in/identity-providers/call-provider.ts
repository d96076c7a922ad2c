import { writeEventLog } from "../../audit/event-logs/rules.js";
import { generalError, IdentityError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";
import { SignInError, type SignInFailure } from "../../ports/sign-in.js";
import type { IdentityProvider } from "../../records/identity-providers/schema.js";

const kinds = {
  pending: "identityProviderPending",
  refused: "identityProviderRefused",
  unavailable: "identityProviderUnavailable",
} as const satisfies Record<SignInFailure, string>;

/**
 * Calls a provider's client and translates its errors.
 * @throws IdentityError 400 `[identityProviderRefused]`, 409 `[identityProviderPending]`, 502 `[identityProviderUnavailable]`.
 */
export async function callProvider<T>(call: OperationCall, provider: IdentityProvider, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    const failure = error instanceof SignInError ? error : undefined;
    const { id, name } = provider;
    if (failure === undefined)
      call.service.runtime.logger.error({ err: error, identityProviderId: id }, "a client of identity providers failed");
    const { message, reason } = failure ?? { message: undefined, reason: "unavailable" as const };
    if (provider.debug) await recordDebug(call, `The login by the identity provider ${name} failed: ${message ?? String(error)}`);
    throw generalError(kinds[reason], message, { cause: error });
  }
}

/** Writes an event log entry for a provider with `debug`. */
export async function recordDebug({ service }: OperationCall, message: string): Promise<void> {
  await service.storage.transaction((tx) => writeEventLog({ service, tx }, { message, type: "Debug" }));
}
