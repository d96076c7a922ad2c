import { maxBulkOperations } from "./bulk/bulk-operation.js";
import { listResponse, maxResults } from "./lists/list-query.js";
import { ScimError } from "./schema/errors.js";
import type { ResourceType, ScimSchema } from "./schema/schemas.js";
import type { ScimCall, ScimResponse } from "./server/call.js";

const core = "urn:ietf:params:scim:schemas:core:2.0";

/** GET /ServiceProviderConfig: the features of the server (RFC 7643, 5). */
export async function retrieveConfiguration({ host, root }: ScimCall, id: string | undefined): Promise<ScimResponse> {
  if (id !== undefined) throw notFound();
  const body = {
    schemas: [`${core}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: maxBulkOperations, maxPayloadSize: host.maxImportBytes },
    filter: { supported: true, maxResults },
    changePassword: { supported: true },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "OAuth Bearer Token",
        description: "A token of the client credentials grant, or an API key as Bearer token.",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${root}/ServiceProviderConfig` },
  };
  return { status: 200, body };
}

/** GET /ResourceTypes: the resource types (RFC 7643, 6). */
export async function retrieveResourceTypes({ root, tenant, query }: ScimCall, id: string | undefined): Promise<ScimResponse> {
  const { user, enterpriseUser, group } = tenant.types;
  const all = [user, enterpriseUser, group].map((type) => showType(type, root));
  return answer(all, query, id);
}

function showType({ id, name, description, endpoint, schema, extensions }: ResourceType, root: string) {
  return {
    schemas: [`${core}:ResourceType`],
    id,
    name,
    description,
    endpoint,
    schema: schema.id,
    ...(extensions.length > 0 && {
      schemaExtensions: extensions.map(({ schema: { id: urn }, required }) => ({ schema: urn, required })),
    }),
    meta: { resourceType: "ResourceType", location: `${root}/ResourceTypes/${id}` },
  };
}

/** GET /Schemas: the attributes of resources (RFC 7643, 7). */
export async function retrieveSchemas({ root, tenant, query }: ScimCall, id: string | undefined): Promise<ScimResponse> {
  const all = tenant.types.schemas.map((schema) => showSchema(schema, root));
  return answer(all, query, id === undefined ? undefined : decodeId(id));
}

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw notFound();
  }
}

function showSchema(schema: ScimSchema, root: string) {
  return {
    schemas: [`${core}:Schema`],
    ...schema,
    meta: { resourceType: "Schema", location: `${root}/Schemas/${schema.id}` },
  };
}

function answer(all: readonly { readonly id: string }[], query: URLSearchParams, id: string | undefined): ScimResponse {
  // Filters on these endpoints are refused (RFC 7644, 4).
  if (query.has("filter")) throw new ScimError(403, undefined, "This endpoint takes no filter.");
  if (id === undefined) return { status: 200, body: listResponse(all, { total: all.length, startIndex: 1 }) };
  const found = all.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (found === undefined) throw notFound();
  return { status: 200, body: found };
}

function notFound(): ScimError {
  return new ScimError(404, undefined, "There is no such resource.");
}
