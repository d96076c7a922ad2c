import { defineRecordRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { searchOperation } from "../../operations/verbs/search.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { consents } from "./rules.js";
import type { Consent, ConsentRequest } from "./schema.js";

/** The criteria of a consent search (docs/reference/search.md). */
export interface ConsentCriteria {
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
}

/** What can be done with consents (docs/reference/forms.md#consents). */
export interface ConsentOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<ConsentRequest & Partial<IdInput<"consentId">>, { readonly consent: Consent }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"consentId">, { readonly consent: Consent }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly consents: readonly Consent[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<ConsentRequest & IdInput<"consentId">, { readonly consent: Consent }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"consentId">, { readonly consent: Consent }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"consentId">, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<ConsentCriteria>, SearchOutput<"consents", Consent>>;
}

export const consentOperations: OperationsOf<ConsentOperations> = {
  create: createOperation(consents),
  retrieve: retrieveOperation(consents),
  list: listOperation(consents),
  update: updateOperation(consents),
  patch: patchOperation(consents),
  remove: removeOperation(consents),
  search: searchOperation(consents),
};

// All tenants share consents: keys of one read them, all but the search, and change none (docs/reference/api-keys.md#permissions, docs/reference/api-keys.md#global-endpoints).
export const consentRoutes: readonly Route<AnyOperation>[] = defineRecordRoutes<AnyOperation>(
  "/api/consent/:consentId",
  "shared",
  consentOperations,
  "global",
);
