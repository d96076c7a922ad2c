import type { Audience } from "../../http/authenticate/principal.js";
import { runLambda } from "../../lambdas/run/run-lambda.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { tenantScope } from "../../ports/storage.js";
import { entitiesTable } from "../../records/entities/family.js";
import type { Entity } from "../../records/entities/schema.js";
import { type IssuedClaims, loadTenant } from "../../sessions/tokens/sign-token.js";
import { toLambdaContext } from "../steps/lambda-context.js";

/** A client's token to populate by a lambda. */
export interface ClientTokenRequest {
  readonly lambdaId: string;
  readonly entityId: string;
  readonly tenantId: string;
  readonly audience: Audience;
}

/** An entity as lambdas see it. An entity of another tenant, such as that of this API, has only its id. */
type ShownEntity = Pick<Entity, "id"> | Omit<Entity, "clientSecret">;

/** Returns the claims of a client's token after the lambda of its tenant. */
export async function populateClientToken(
  call: OperationCall,
  { lambdaId, entityId, tenantId, audience }: ClientTokenRequest,
  jwt: IssuedClaims,
): Promise<IssuedClaims> {
  const { aud = [], permissions = {}, scope = "" } = audience;
  const targetIds = [aud].flat();
  const tenant = await loadTenant(call, tenantId);
  const entities = await findEntities(call, tenantId, [entityId, ...targetIds]);
  const given = {
    jwt,
    recipientEntity: entities.get(entityId) ?? { id: entityId },
    targetEntities: targetIds.map((id) => entities.get(id) ?? { id }),
    permissions,
    context: toLambdaContext(call, { tenant }, { scopes: scope.split(" ").filter((one) => one !== "") }),
  };
  const changed = await runLambda(call, { lambdaId, type: "ClientCredentialsJWTPopulate", tenantId, arguments: given });
  return changed.jwt as IssuedClaims;
}

async function findEntities(
  call: OperationCall,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownEntity>> {
  const found = await call.reader.find(tenantScope(tenantId), entitiesTable, { op: "in", column: "id", values: ids });
  return new Map(found.map((stored) => [stored.id, toShown(parseRecord<Entity>(stored))]));
}

function toShown({ clientSecret: _secret, ...entity }: Entity): ShownEntity {
  return entity;
}
