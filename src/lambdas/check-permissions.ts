import { FieldErrorList, fieldError } from "../errors/identity-error.js";
import { hasGrants } from "../http/authenticate/principal.js";
import { addUnknownEndpoints } from "../http/authorize/endpoint-grants.js";
import { type Change, parseRecord } from "../operations/family/family.js";
import type { WriteCall } from "../operations/operation.js";
import { findHolders } from "../operations/references/references.js";
import { globalScope } from "../ports/storage.js";
import { lambdaFamily, lambdasTable } from "../records/lambdas/family.js";
import type { Lambda } from "../records/lambdas/schema.js";
import { toGrants } from "./run/lambda-api.js";

/**
 * Checks that the endpoints in the permissions of a lambda exist. @throws IdentityError 400
 * `[invalid]lambda.permissions.endpoints[…]`.
 */
export function checkEndpoints(call: WriteCall, { draft, original }: Change<Lambda, unknown>): void {
  const errors = new FieldErrorList();
  const wanted = draft.record.permissions?.endpoints ?? {};
  const granted = { before: original?.permissions?.endpoints, path: "lambda.permissions.endpoints", wanted };
  addUnknownEndpoints(errors, call.service.isEndpoint, granted);
  errors.throwIfAny();
}

/**
 * Checks that the caller holds the permissions of all lambdas that a changed one can influence: its own, those that require it or
 * have it in their chain, directly or not, and those of the chains of all of these, whose arguments it can change.
 * @throws IdentityError 400 `[invalid]lambda.permissions`.
 */
export async function checkPermissions(call: WriteCall, changed: Lambda): Promise<void> {
  const visited = new Set([changed.id]);
  const waiting = [changed];
  for (const lambda of waiting) {
    const chained = await findLambdas(call, lambda.chain ?? []);
    for (const { permissions } of [lambda, ...chained])
      if (permissions !== undefined && !hasGrants(call.principal, toGrants(permissions)))
        throw fieldError(
          "invalid",
          "lambda.permissions",
          "The lambda, or one that uses it, has permissions that the caller does not hold.",
        );
    const holders = await findHolders(call, lambdasTable, lambda.id);
    const users = holders.filter(({ id, wrapper }) => wrapper === lambdaFamily.wrapper && !visited.has(id)).map(({ id }) => id);
    for (const id of users) visited.add(id);
    for (const user of await findLambdas(call, users)) waiting.push(user);
  }
}

async function findLambdas(call: WriteCall, ids: readonly string[]): Promise<readonly Lambda[]> {
  if (ids.length === 0) return [];
  const found = await call.tx.find(globalScope, lambdasTable, { op: "in", column: "id", values: ids });
  return found.map((stored) => parseRecord<Lambda>(stored));
}
