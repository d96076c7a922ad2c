import { StorageUnavailable } from "../ports/storage.js";
import { generalError, IdentityError } from "./identity-error.js";

/** Whatever was thrown as a refusal: known kinds keep their status, anything else is an internal error with the cause kept. */
export function toIdentityError(thrown: unknown): IdentityError {
  if (thrown instanceof IdentityError) return thrown;
  if (thrown instanceof StorageUnavailable) return generalError("storageUnavailable", undefined, { cause: thrown });
  return generalError("internal", undefined, { cause: thrown });
}
