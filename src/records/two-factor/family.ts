import { defineRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type FamilyRow } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { TwoFactorSecret } from "../factors/totp.js";
import type {
  LoginResponse,
  PasswordChangeResponse,
  SecondFactorResponse,
  VerificationRequiredResponse,
} from "../logins/schema.js";
import type {
  EnableTwoFactorRequest,
  LegacyEnableRequest,
  SendCodeRequest,
  SendPendingCodeRequest,
  StartPasskeyResponse,
  StartTwoFactorRequest,
  StartTwoFactorResponse,
  TwoFactorLoginRequest,
  TwoFactorStatusRequest,
  TwoFactorStatusResponse,
  UpdateTwoFactorRequest,
} from "./schema.js";

/** The user of the second factor. With a user's token: the user of the token. */
export interface TwoFactorUserInput {
  /** The user. Default: the user of the token. */
  readonly userId?: string;
}

/** The user and the device of a status check. */
export interface TwoFactorStatusInput {
  /** The user. */
  readonly userId: string;
  /** The application that the user wants to log in to. */
  readonly applicationId?: string;
  /** The trust id of the user's device. */
  readonly twoFactorTrustId?: string;
}

/** A code of the second factor, and from 1.26.0 on the method to remove. */
export interface DisableTwoFactorInput extends TwoFactorUserInput {
  /** A code of the method, or a recovery code. */
  readonly code: string;
  /** The application of the mail templates. From 1.26.0 on. */
  readonly applicationId?: string;
  /** The method to remove. From 1.26.0 on. */
  readonly methodId?: string;
}

/** Recovery codes, each of which replaces the second factor once. */
export interface RecoveryCodes {
  /** Ten new codes, each valid once. Only this response shows them. */
  readonly recoveryCodes: readonly string[];
}

/**
 * Operations on second factors (docs/reference/two-factor.md#secrets, docs/reference/two-factor.md#legacy-calls,
 * docs/reference/tokens.md#login, docs/reference/two-factor.md).
 */
export interface TwoFactorOperations {
  /** Returns a random secret to show as a QR code; nothing is stored. */
  readonly secret: OperationSignature<Record<never, never>, TwoFactorSecret>;
  /** Adds a method. Returns recovery codes from 1.26.0 on, and nothing before. */
  readonly enable: OperationSignature<
    (LegacyEnableRequest | EnableTwoFactorRequest) & TwoFactorUserInput,
    RecoveryCodes | undefined
  >;
  /** Removes a method; 421 for a wrong code. Removes the recovery codes along with the last method. */
  readonly disable: OperationSignature<DisableTwoFactorInput, undefined>;
  /** Changes the name of a method. From 1.26.0 on. */
  readonly update: OperationSignature<UpdateTwoFactorRequest & TwoFactorUserInput, undefined>;
  /** Starts a second factor independent of a login, for a user with methods; sends nothing. From 1.26.0 on. */
  readonly start: OperationSignature<StartTwoFactorRequest, StartTwoFactorResponse>;
  /** Returns whether a login needs a second factor: 242, else 200. From 1.26.0 on. */
  readonly status: OperationSignature<TwoFactorStatusInput, TwoFactorStatusResponse>;
  /** Like `status`, with values for a lambda: the action and the token of the user. Since 1.62.0. */
  readonly checkStatus: OperationSignature<TwoFactorStatusRequest, TwoFactorStatusResponse>;
  /** Sends a code independent of a login, by mail or text message; 503 `[smsFailed]` if the provider refuses it. */
  readonly send: OperationSignature<SendCodeRequest, undefined>;
  /** Sends a code for a pending login; 404 for an unknown or expired `twoFactorId`. */
  readonly sendForLogin: OperationSignature<SendPendingCodeRequest & { readonly twoFactorId: string }, undefined>;
  /** Issues a challenge for a passkey that completes a login; 404 for an unknown or expired `twoFactorId`. Since 1.41.0. */
  readonly startPasskey: OperationSignature<{ readonly twoFactorId: string }, StartPasskeyResponse>;
  /** Completes a login with a code or a passkey; returns tokens, or the next requirement. */
  readonly login: OperationSignature<
    TwoFactorLoginRequest,
    LoginResponse | PasswordChangeResponse | SecondFactorResponse | VerificationRequiredResponse
  >;
  /** Returns the number of remaining recovery codes. The codes themselves cannot be read again. */
  readonly recoveryCodes: OperationSignature<{ readonly userId: string }, RecoveryCodes & { readonly remaining: number }>;
  /** Generates new recovery codes; the old ones become invalid. */
  readonly makeRecoveryCodes: OperationSignature<{ readonly userId: string }, RecoveryCodes>;
}

/** Pending logins, by the digest of their `twoFactorId`. The second factor itself is part of its user. */
export const pendingLoginsTable: Table = defineTable({
  name: "pendingLogins",
  tenancy: "tenant",
  since: 3,
  columns: {
    digest: { type: "text" },
    expirationInstant: { type: "integer" },
    userId: { type: "id", references: { table: "users", onRemove: "cascade" } },
  },
  uniqueKeys: [{ name: "digest", columns: ["digest"] }],
  indexes: [{ columns: ["expirationInstant"] }, { columns: ["userId"] }],
});

/** The family of second factors. */
export const twoFactorFamily: FamilyRow<"twoFactor", TwoFactorOperations> = {
  name: "twoFactor",
  operations: {
    secret: customOperation(),
    enable: customOperation("userId"),
    disable: customOperation("userId", "applicationId", "code", "methodId"),
    update: customOperation("userId"),
    start: customOperation(),
    status: customOperation("userId", "applicationId", "twoFactorTrustId"),
    checkStatus: customOperation(),
    send: customOperation(),
    sendForLogin: customOperation("twoFactorId"),
    startPasskey: customOperation("twoFactorId"),
    login: customOperation(),
    recoveryCodes: customOperation("userId"),
    makeRecoveryCodes: customOperation("userId"),
  },
  routes: defineRoutes([
    ["GET", "/api/two-factor/secret", "tenantOrUser", "secret"],
    ["POST", "/api/user/two-factor", "tenantOrUser", "enable"],
    ["POST", "/api/user/two-factor/:userId", "tenant", "enable"],
    ["DELETE", "/api/user/two-factor", "tenantOrUser", "disable"],
    ["DELETE", "/api/user/two-factor/:userId", "tenant", "disable"],
    ["PUT", "/api/user/two-factor", "tenantOrUser", "update"],
    ["PUT", "/api/user/two-factor/:userId", "tenant", "update"],
    ["POST", "/api/two-factor/start", "tenant", "start"],
    ["GET", "/api/two-factor/status", "tenant", "status"],
    ["GET", "/api/two-factor/status/:twoFactorTrustId", "tenant", "status"],
    ["POST", "/api/two-factor/status", "tenant", "checkStatus"],
    ["POST", "/api/two-factor/send", "tenantOrUser", "send"],
    ["POST", "/api/two-factor/send/:twoFactorId", "public", "sendForLogin"],
    ["POST", "/api/two-factor/passkey/:twoFactorId", "public", "startPasskey"],
    ["POST", "/api/two-factor/login", "optional", "login"],
    ["GET", "/api/user/two-factor/recovery-code/:userId", "tenant", "recoveryCodes"],
    ["POST", "/api/user/two-factor/recovery-code/:userId", "tenant", "makeRecoveryCodes"],
  ]),
  tables: [pendingLoginsTable],
  retention: [[pendingLoginsTable, "expirationInstant", 0]],
};
