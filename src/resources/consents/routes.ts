import { defineRecordRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, Operation } from "../../operations/operation.js";
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
  readonly name?: string;
}

/** What can be done with consents (docs/reference/forms.md#consents). */
export interface ConsentOperations {
  readonly create: Operation<ConsentRequest & Partial<IdInput<"consentId">>, { readonly consent: Consent }>;
  readonly retrieve: Operation<IdInput<"consentId">, { readonly consent: Consent }>;
  readonly list: Operation<Record<never, never>, { readonly consents: readonly Consent[] }>;
  readonly update: Operation<ConsentRequest & IdInput<"consentId">, { readonly consent: Consent }>;
  readonly patch: Operation<PatchInput<"consentId">, { readonly consent: Consent }>;
  readonly remove: Operation<IdInput<"consentId">, undefined>;
  readonly search: Operation<SearchInput<ConsentCriteria>, SearchOutput<"consents", Consent>>;
}

export const consentOperations: ConsentOperations = {
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
