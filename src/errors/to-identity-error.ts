import { ResultTooLarge, StorageUnavailable } from "../ports/storage.js";
import { generalError, IdentityError } from "./identity-error.js";

/** Converts anything thrown to a refusal: known errors keep their status, others become an internal error with their `cause`. */
export function toIdentityError(thrown: unknown): IdentityError {
  if (thrown instanceof IdentityError) return thrown;
  if (thrown instanceof StorageUnavailable) return generalError("storageUnavailable", undefined, { cause: thrown });
  if (thrown instanceof ResultTooLarge) return responseTooLarge(thrown);
  return generalError("internal", undefined, { cause: thrown });
}

/** The refusal of an answer that would be too large; `advice` says what would be smaller. */
export function responseTooLarge(cause: ResultTooLarge, advice = ""): IdentityError {
  const message = `${cause.message} ${advice}`.trim();
  // A body that is too large has the same code, and a status of its own.
  return new IdentityError(400, { generalErrors: [{ code: "[tooLarge]", message }] }, { cause });
}
