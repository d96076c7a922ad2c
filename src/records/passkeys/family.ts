import { defineRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type IdInput, type RecordRow } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { digestSecret } from "../../security/seal.js";
import type {
  LoginResponse,
  PasswordChangeResponse,
  SecondFactorResponse,
  VerificationRequiredResponse,
} from "../logins/schema.js";
import { lazySchema } from "../schemas.js";
import type {
  ParsedPasskeyRequest,
  Passkey,
  PasskeyAssertRequest,
  PasskeyImportRequest,
  PasskeyLoginRequest,
  PasskeyRegistrationRequest,
  PasskeyRegistrationStartRequest,
  PasskeyStartRequest,
} from "./schema.js";
import type { PasskeyCreationOptions, PasskeyRequestOptions } from "./web-authn.js";

/** The user of the passkeys. With a user's token: the user of the token. */
export interface PasskeyUserInput {
  /** The user; required with an API key. */
  readonly userId?: string;
}

/** The passkeys to remove: one, or all of a user. */
export interface RemovePasskeysInput extends PasskeyUserInput {
  /** The UUID of the record. */
  readonly passkeyId?: string;
}

/** Operations on passkeys (docs/reference/passkeys.md). */
export interface PasskeyOperations {
  /** Returns the options for `navigator.credentials.create` to create a passkey for a user. */
  readonly startRegistration: OperationSignature<PasskeyRegistrationStartRequest, { readonly options: PasskeyCreationOptions }>;
  /** Verifies and stores a new passkey; 404 for a challenge that is unknown, used or expired. */
  readonly completeRegistration: OperationSignature<PasskeyRegistrationRequest, { readonly credential: Passkey }>;
  /** Returns the options for `navigator.credentials.get`, for a login or a step-up. */
  readonly start: OperationSignature<PasskeyStartRequest, { readonly options: PasskeyRequestOptions }>;
  /** Logs in with a passkey; returns tokens, or the next requirement. 404 for an invalid response. */
  readonly login: OperationSignature<
    PasskeyLoginRequest,
    LoginResponse | PasswordChangeResponse | SecondFactorResponse | VerificationRequiredResponse
  >;
  /** Verifies a passkey without a login; 404 for an invalid response. */
  readonly assert: OperationSignature<
    PasskeyAssertRequest,
    { readonly credential: Passkey; readonly state?: Readonly<Record<string, unknown>> }
  >;
  /** Stores passkeys of another system: all of them or none. */
  readonly import: OperationSignature<PasskeyImportRequest, undefined>;
  /** Returns a passkey by the id of its record. */
  readonly retrieve: OperationSignature<IdInput<"passkeyId">, { readonly credential: Passkey }>;
  /** Returns the passkeys of a user, oldest first. */
  readonly list: OperationSignature<PasskeyUserInput, { readonly credentials: readonly Passkey[] }>;
  /** Removes one passkey, or all of a user. */
  readonly remove: OperationSignature<RemovePasskeysInput, undefined>;
}

/** Passkeys of users, by the digests of their credential ids, which may be long. */
export const passkeysTable: Table = defineTable({
  name: "passkeys",
  tenancy: "tenant",
  since: 8,
  columns: {
    credentialDigest: { type: "text" },
    userId: { type: "id", references: { table: "users", onRemove: "cascade" } },
  },
  uniqueKeys: [{ name: "credential", columns: ["tenantId", "credentialDigest"] }],
  indexes: [{ columns: ["userId"] }],
});

/** The hidden part of a record. */
export interface HiddenPasskey {
  /** The user handle of an imported passkey, if it differs from the user's id. */
  readonly userHandle: string;
}

/** The digest of a credential id, for look-ups. */
export function digestOfCredential(credentialId: string): string {
  return digestSecret(credentialId);
}

/** The family of passkeys. */
export const passkeyFamily: RecordRow<"passkeys", Passkey, ParsedPasskeyRequest, PasskeyOperations> = {
  name: "passkeys",
  wrapper: "credential",
  plural: "credentials",
  idParameter: "passkeyId",
  table: passkeysTable,
  request: lazySchema("logins", "passkeyRequest"),
  search: { filters: {}, sortable: { insertInstant: { column: "insertInstant" } }, defaultOrder: "insertInstant ASC" },
  uniquePaths: { credential: "credential.credentialId" },
  setPaths: new Set(),
  operations: {
    startRegistration: customOperation(),
    completeRegistration: customOperation(),
    start: customOperation(),
    login: customOperation(),
    assert: customOperation(),
    import: { ...customOperation(), bulkLists: [["credentials"]] },
    retrieve: customOperation("passkeyId"),
    list: customOperation("userId"),
    remove: customOperation("passkeyId", "userId"),
  },
  // Users register, list, use and remove their own passkeys.
  routes: defineRoutes([
    ["POST", "/api/webauthn/register/start", "tenantOrUser", "startRegistration"],
    ["POST", "/api/webauthn/register/complete", "tenantOrUser", "completeRegistration"],
    ["POST", "/api/webauthn/start", "tenantOrUser", "start"],
    ["POST", "/api/webauthn/login", "optional", "login"],
    ["POST", "/api/webauthn/assert", "optional", "assert"],
    ["POST", "/api/webauthn/import", "tenant", "import"],
    ["GET", "/api/webauthn", "tenantOrUser", "list"],
    ["GET", "/api/webauthn/:passkeyId", "tenantOrUser", "retrieve"],
    ["DELETE", "/api/webauthn", "tenantOrUser", "remove"],
    ["DELETE", "/api/webauthn/:passkeyId", "tenantOrUser", "remove"],
  ]),
  tables: [passkeysTable],
  auditName: "passkey",
};
