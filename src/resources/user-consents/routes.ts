import { defineRecordRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput } from "../../operations/wire-types.js";
import { listFilter, revokeUserConsent, userConsents } from "./rules.js";
import type { UserConsent, UserConsentRequest, UserConsentUpdate } from "./schema.js";

/** What can be done with users' consents (docs/reference/forms.md#consents). */
export interface UserConsentOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<
    UserConsentRequest & Partial<IdInput<"userConsentId">>,
    { readonly userConsent: UserConsent }
  >;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"userConsentId">, { readonly userConsent: UserConsent }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<IdInput<"userId">, { readonly userConsents: readonly UserConsent[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<UserConsentUpdate & IdInput<"userConsentId">, { readonly userConsent: UserConsent }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"userConsentId">, { readonly userConsent: UserConsent }>;
  /** Revokes; the record stays. */
  readonly remove: OperationSignature<IdInput<"userConsentId">, undefined>;
}

export const userConsentOperations: OperationsOf<UserConsentOperations> = {
  create: createOperation(userConsents),
  retrieve: retrieveOperation(userConsents),
  list: listOperation(userConsents, listFilter, ["userId"]),
  update: updateOperation(userConsents),
  patch: patchOperation(userConsents),
  remove: revokeUserConsent,
};

export const userConsentRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/user/consent/:userConsentId",
  "tenant",
  userConsentOperations,
);
