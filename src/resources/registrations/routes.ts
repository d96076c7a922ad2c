import { publishDuplicates } from "../../directory/login-id-events.js";
import { defineRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import type { IdInput, PatchInput } from "../../operations/wire-types.js";
import {
  createRegistration,
  patchRegistration,
  registrations,
  type UpdateRegistrationInput,
  updateRegistration,
} from "./rules.js";
import type { CreatedRegistration, RegistrationRequest, RegistrationResponse } from "./schema.js";

/** What can be done with registrations (docs/reference/users.md). */
export interface RegistrationOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<RegistrationRequest & { readonly userId?: string }, CreatedRegistration>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"userId" | "applicationId">, RegistrationResponse>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<UpdateRegistrationInput, RegistrationResponse>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"userId" | "applicationId">, RegistrationResponse>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"userId" | "applicationId">, undefined>;
}

export const registrationOperations: OperationsOf<RegistrationOperations> = {
  create: publishDuplicates(createRegistration, "create"),
  retrieve: retrieveOperation(registrations),
  update: updateRegistration,
  patch: patchRegistration,
  remove: removeOperation(registrations),
};

const { create, retrieve, update, patch, remove } = registrationOperations;

export const registrationRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/user/registration", "tenant", create],
  ["POST", "/api/user/registration/:userId", "tenant", create],
  ["GET", "/api/user/registration/:userId", "tenant", retrieve],
  ["GET", "/api/user/registration/:userId/:applicationId", "tenant", retrieve],
  ["PUT", "/api/user/registration", "tenant", update],
  ["PUT", "/api/user/registration/:userId", "tenant", update],
  ["PUT", "/api/user/registration/:userId/:applicationId", "tenant", update],
  ["PATCH", "/api/user/registration", "tenant", patch],
  ["PATCH", "/api/user/registration/:userId", "tenant", patch],
  ["PATCH", "/api/user/registration/:userId/:applicationId", "tenant", patch],
  ["DELETE", "/api/user/registration", "tenant", remove],
  ["DELETE", "/api/user/registration/:userId", "tenant", remove],
  ["DELETE", "/api/user/registration/:userId/:applicationId", "tenant", remove],
]);
