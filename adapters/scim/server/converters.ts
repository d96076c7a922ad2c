import { IdentityError } from "latchkey";
import { isObject } from "../../internal/objects.js";
import { ScimError } from "../schema/errors.js";
import { readResource } from "../schema/read-resource.js";
import type { ScimResource } from "../schema/schemas.js";
import type { TypeCall } from "./call.js";
import { scimVisitor } from "./visitor.js";

/** Options that a request converter sets besides the record. */
export interface ConverterOptions {
  /** The application to register a new user to. */
  readonly applicationId?: string | undefined;
  /** The roles that a group grants. */
  readonly roleIds?: readonly string[] | undefined;
}

/**
 * Returns the arguments after the converter's changes. Throws IdentityError 400 `[LambdaFailed]` when it fails, `ScimError` 400
 * when it does not exist.
 */
export async function runConverter<Given extends object>({ host, tenant }: TypeCall, id: string, given: Given): Promise<Given> {
  const { lambdas } = host.as(scimVisitor);
  const context = { tenant: { id: tenant.id } };
  const changed = await lambdas.run(id, { ...given, context }, { tenantId: tenant.id }).catch((error: unknown) => {
    if (!(error instanceof IdentityError) || error.status !== 404) throw error;
    throw new ScimError(400, "invalidValue", `The lambda ${id}, a converter of the tenant, does not exist.`);
  });
  return { ...given, ...changed } as Given;
}

/** Returns the resource of a response converter, checked like a request; attributes that clients cannot set stay unchanged. */
export function toConvertedResource(call: TypeCall, shown: ScimResource, converted: unknown): ScimResource {
  const { resource } = readResource(call.type, converted);
  const { id, meta, groups } = shown;
  const { password: _password, ...rest } = resource;
  return { ...rest, id, meta, ...(groups !== undefined && { groups }) };
}

/** Returns the valid options of a request converter. */
export function readOptions(options: unknown): ConverterOptions {
  if (!isObject(options)) return {};
  const { applicationId, roleIds } = options;
  return {
    ...(typeof applicationId === "string" && { applicationId }),
    ...(Array.isArray(roleIds) && { roleIds: roleIds.filter((id) => typeof id === "string") }),
  };
}
