import type { ApiResponse } from "latchkey/ports";
import type { MessageKey } from "../../messages/english.js";
import type { FlowState } from "../../server/flow-state.js";
import { readErrorCodes } from "../../server/form-errors.js";
import { findReason } from "../finish-login.js";

/** Texts for the status of a provider login. Except for the last two, the provider confirmed the user. */
const byStatus: Readonly<Record<number, MessageKey>> = {
  202: "not-registered",
  404: "provider-unknown",
  410: "account-expired",
  423: "account-locked",
  429: "too-many-attempts-soon",
  502: "provider-failed",
};

const byCode: Readonly<Record<string, MessageKey>> = {
  "[identityProviderIncomplete]": "provider-incomplete",
  "[identityProviderRefused]": "provider-failed",
};

/** Returns the notice for the login page after a refused provider login. */
export function describeFailure(response: ApiResponse): Pick<FlowState, "notice" | "noticeReason"> {
  const reason = findReason(response);
  if (reason !== undefined) return { notice: "account-prevented", noticeReason: reason };
  const [key] = readErrorCodes(response).flatMap((code) => byCode[code] ?? []);
  return { notice: key ?? byStatus[response.status] ?? "provider-refused" };
}
