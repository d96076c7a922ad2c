import { defineRoutes } from "../../http/route/define-route.js";
import { customOperation, type FamilyRow } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type {
  IdentityInput,
  ResendVerificationInput,
  StartIdentityRequest,
  VerificationResponse,
  VerificationResult,
  VerifyEmailRequest,
} from "./schema.js";

/** Operations to verify addresses, registrations and login ids (docs/reference/account-flows.md#verification). */
export interface VerificationOperations {
  /** Resends the mail that verifies an address; `sendVerifyEmail: false` only returns a new id. */
  readonly resendEmail: OperationSignature<
    ResendVerificationInput & {
      readonly sendVerifyEmail?: boolean;
      /** The id from the response of a gated login: changes the address of its user to `email`, if the tenant allows it. */
      readonly verificationId?: string;
    },
    VerificationResponse
  >;
  /** Verifies an address by the id of a mail, or of a user. 404 for an unknown, used or expired id. */
  readonly verifyEmail: OperationSignature<VerifyEmailRequest, undefined>;
  /** Resends the mail that verifies a registration; `sendVerifyPasswordEmail: false` only returns a new id. */
  readonly resendRegistration: OperationSignature<
    ResendVerificationInput & { readonly sendVerifyPasswordEmail?: boolean },
    VerificationResponse
  >;
  /** Verifies a registration by the id of a mail. 404 for an unknown, used or expired id. */
  readonly verifyRegistration: OperationSignature<VerifyEmailRequest, undefined>;
  /** Starts the verification of a login id; sends nothing. Since 1.59.0. */
  readonly startIdentity: OperationSignature<StartIdentityRequest, VerificationResponse>;
  /** Sends the mail of a started verification. Since 1.59.0. */
  readonly sendIdentity: OperationSignature<{ readonly verificationId: string }, undefined>;
  /** Completes a started verification. 404 for an unknown, used or expired id. Since 1.59.0. */
  readonly completeIdentity: OperationSignature<VerifyEmailRequest, VerificationResult>;
  /** Marks a login id as verified. Since 1.59.0. */
  readonly verifyIdentity: OperationSignature<IdentityInput, undefined>;
}

/** The family of verifications. */
export const verificationFamily: FamilyRow<"verifications", VerificationOperations> = {
  name: "verifications",
  operations: {
    resendEmail: customOperation("email", "applicationId", "sendVerifyEmail", "verificationId"),
    verifyEmail: customOperation(),
    resendRegistration: customOperation("email", "applicationId", "sendVerifyPasswordEmail"),
    verifyRegistration: customOperation(),
    startIdentity: customOperation(),
    sendIdentity: customOperation(),
    completeIdentity: customOperation(),
    verifyIdentity: customOperation(),
  },
  routes: defineRoutes([
    ["PUT", "/api/user/verify-email", "optional", "resendEmail"],
    ["POST", "/api/user/verify-email", "optional", "verifyEmail"],
    ["POST", "/api/user/verify-email/:verificationId", "optional", "verifyEmail"],
    ["PUT", "/api/user/verify-registration", "optional", "resendRegistration"],
    ["POST", "/api/user/verify-registration", "optional", "verifyRegistration"],
    ["POST", "/api/user/verify-registration/:verificationId", "optional", "verifyRegistration"],
    ["POST", "/api/identity/verify/start", "tenant", "startIdentity"],
    ["POST", "/api/identity/verify/send", "tenant", "sendIdentity"],
    ["POST", "/api/identity/verify/complete", "tenant", "completeIdentity"],
    ["POST", "/api/identity/verify", "tenant", "verifyIdentity"],
    ["POST", "/api/identity/verify/verify", "tenant", "verifyIdentity"],
  ]),
};
