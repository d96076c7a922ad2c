import { defineRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { PatchInput } from "../../operations/wire-types.js";
import { integrations } from "./rules.js";
import type { Integrations, IntegrationsRequest } from "./schema.js";

/** What can be done with the integrations (docs/reference/integrations.md#object): they are always there, and there is only one. */
export interface IntegrationOperations {
  /** Returns the settings of all integrations. */
  readonly retrieve: OperationSignature<Record<never, never>, { readonly integrations: Integrations }>;
  /** Replaces the settings of all integrations. */
  readonly update: OperationSignature<IntegrationsRequest, { readonly integrations: Integrations }>;
  /** Changes single settings of the integrations. */
  readonly patch: OperationSignature<PatchInput<never>, { readonly integrations: Integrations }>;
}

export const integrationOperations: OperationsOf<IntegrationOperations> = {
  retrieve: retrieveOperation(integrations),
  update: updateOperation(integrations),
  patch: patchOperation(integrations),
};

const { retrieve, update, patch } = integrationOperations;

export const integrationRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["GET", "/api/integration", "global", retrieve],
  ["PUT", "/api/integration", "global", update],
  ["PATCH", "/api/integration", "global", patch],
]);
