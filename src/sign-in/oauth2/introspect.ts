import { oauthError } from "../../errors/oauth-error.js";
import type { TokenPrincipal } from "../../http/authenticate/principal.js";
import { noStoreHeaders, type OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { tenantScope } from "../../ports/storage.js";
import { entitiesTable } from "../../records/entities/family.js";
import type { Entity } from "../../records/entities/schema.js";
import type { IntrospectResponse } from "../../records/oauth2/schema.js";
import { foldText, parseUuid } from "../../shared/text.js";
import { type FormFields, readClientCredentials, readForm, secretsOf } from "../steps/read-client.js";
import { findSecretOf, type OpenIdClient, readClient } from "./application-client.js";
import { authenticateEntity } from "./authenticate-entity.js";

/** The caller, which decides the tokens that it may introspect. */
type Asker =
  | { readonly kind: "application" | "entity"; readonly id: string }
  /** A key, or the host; `clientId` is the client that it expects the token to be for. */
  | { readonly kind: "trusted"; readonly clientId: string | undefined };

/**
 * POST /oauth2/introspect: the claims of a currently valid token (RFC 7662; docs/reference/oauth.md#introspection).
 * @throws OAuthError 401 without client authentication, and for another client's token; 400 without a token. IdentityError 423 or
 * 429 after too many wrong secrets.
 */
export async function introspectToken(call: OperationCall): Promise<OperationResult> {
  const form = readForm(call, ["token", "client_id", "client_secret"]);
  const asker = call.principal === undefined ? await proveClient(call, form) : trusted(form);
  if (form.token === undefined) throw oauthError("missing_token");
  const principal = await call.service.verifyToken(form.token);
  const isSeen = call.scope.kind === "global" || principal?.tenantId === call.scope.tenantId;
  if (principal === undefined || !isSeen) return toAnswer({ active: false });
  if (!(await mayAsk(call, asker, principal))) throw oauthError("invalid_client_id");
  return toAnswer({ ...principal.claims, active: true });
}

function trusted({ client_id: clientId }: FormFields): Asker {
  return { kind: "trusted", clientId };
}

// As at the token endpoint, an application that needs no secret needs none here, for its own tokens.
async function proveClient(call: OperationCall, form: FormFields): Promise<Asker> {
  const { client_id: named, client_secret: secret } = form;
  if (named !== undefined && secret === undefined && call.request?.headers.authorization === undefined) {
    const open = await findApplication(call, named);
    if (open !== undefined && open.settings.clientAuthenticationPolicy !== "Required")
      return { kind: "application", id: open.id };
  }
  const credentials = readClientCredentials(call, form);
  const client = await findApplication(call, credentials.clientId);
  if (client === undefined) return { kind: "entity", id: (await authenticateEntity(call, credentials)).entityId };
  if ((await findSecretOf(call, client, secretsOf(credentials))) === undefined) throw oauthError("invalid_client_authentication");
  return { kind: "application", id: client.id };
}

async function findApplication({ service }: OperationCall, clientId: string): Promise<OpenIdClient | undefined> {
  const id = parseUuid(clientId);
  return id === undefined ? undefined : readClient(service, id);
}

async function mayAsk(call: OperationCall, asker: Asker, principal: TokenPrincipal): Promise<boolean> {
  if (asker.kind === "trusted") return asker.clientId === undefined || isOf(call, asker.clientId, principal);
  const isAudience = [principal.claims.aud].flat().includes(asker.id);
  if (principal.kind === "user") return asker.kind === "application" && isAudience;
  return asker.kind === "entity" && (isAudience || asker.id === principal.entityId);
}

async function isOf({ reader }: OperationCall, clientId: string, principal: TokenPrincipal): Promise<boolean> {
  if (principal.kind === "user") return [principal.claims.aud].flat().includes(parseUuid(clientId) ?? "");
  const entity = await reader.retrieve(tenantScope(principal.tenantId), entitiesTable, principal.entityId);
  return entity !== undefined && foldText(clientId) === foldText(parseRecord<Entity>(entity).clientId);
}

function toAnswer(answer: IntrospectResponse): OperationResult {
  return { status: 200, json: toCanonicalJson(answer), headers: noStoreHeaders };
}
