import { defineRoutes } from "../../http/route/define-route.js";
import { customOperation, type FamilyRow } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type {
  LoginResponse,
  PasswordChangeResponse,
  SecondFactorResponse,
  VerificationRequiredResponse,
} from "../logins/schema.js";
import type {
  PasswordlessLoginRequest,
  PasswordlessSendRequest,
  PasswordlessStartRequest,
  PasswordlessStartResponse,
} from "./schema.js";

/** Operations on passwordless logins (docs/reference/account-flows.md#passwordless). */
export interface PasswordlessOperations {
  /** Starts a login and returns its code; sends nothing. 404 for an unknown user. */
  readonly start: OperationSignature<PasswordlessStartRequest, PasswordlessStartResponse>;
  /** Sends the mail with the link or the code. */
  readonly send: OperationSignature<PasswordlessSendRequest, undefined>;
  /** Finishes a login; returns tokens, or the next requirement. 404 for an unknown, used or expired code. */
  readonly login: OperationSignature<
    PasswordlessLoginRequest,
    LoginResponse | PasswordChangeResponse | SecondFactorResponse | VerificationRequiredResponse
  >;
}

/** The family of passwordless logins. */
export const passwordlessFamily: FamilyRow<"passwordless", PasswordlessOperations> = {
  name: "passwordless",
  operations: { start: customOperation(), send: customOperation(), login: customOperation() },
  routes: defineRoutes([
    ["POST", "/api/passwordless/start", "tenant", "start"],
    ["POST", "/api/passwordless/send", "optional", "send"],
    ["POST", "/api/passwordless/login", "optional", "login"],
  ]),
};
