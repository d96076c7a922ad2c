import { IdentityError } from "latchkey";
import { isObject } from "../../internal/objects.js";
import { ScimError } from "../schema/errors.js";
import { readResource } from "../schema/read-resource.js";
import type { ScimResource } from "../schema/schemas.js";
import type { TypeCall } from "./call.js";
import { scimVisitor } from "./visitor.js";

/** The kinds of converter lambdas. */
type ConverterType =
  | "SCIMUserRequestConverter"
  | "SCIMUserResponseConverter"
  | "SCIMGroupRequestConverter"
  | "SCIMGroupResponseConverter";

/** What a request converter says beside the record. */
export interface ConverterOptions {
  /** The application to register a new user to. */
  readonly applicationId?: string | undefined;
  /** The roles that a group gives. */
  readonly roleIds?: readonly string[] | undefined;
}

/** Returns the arguments of a converter as it left them. Throws IdentityError 400 `[LambdaFailed]` when it fails, `ScimError` 400 when it is gone. */
export async function runConverter<Given extends object>(
  { host, tenant }: TypeCall,
  { id, type }: { readonly id: string; readonly type: ConverterType },
  given: Given,
): Promise<Given> {
  const { lambdas } = host.as(scimVisitor);
  const context = { tenant: { id: tenant.id } };
  const changed = await lambdas.run(id, { ...given, context }, { tenantId: tenant.id }).catch((error: unknown) => {
    if (!(error instanceof IdentityError) || error.status !== 404) throw error;
    throw new ScimError(400, "invalidValue", `The lambda ${id}, a converter of the tenant, does not exist.`);
  });
  return { ...given, ...changed, type } as Given;
}

/** Returns what a response converter made of a resource, checked like a request; what clients cannot set stays as it was. */
export function toConvertedResource(call: TypeCall, shown: ScimResource, converted: unknown): ScimResource {
  const { resource } = readResource(call.type, converted);
  const { id, meta, groups } = shown;
  const { password: _password, ...rest } = resource;
  return { ...rest, id, meta, ...(groups !== undefined && { groups }) };
}

/** Returns the options of a request converter: what is none of them is left out. */
export function readOptions(options: unknown): ConverterOptions {
  if (!isObject(options)) return {};
  const { applicationId, roleIds } = options;
  return {
    ...(typeof applicationId === "string" && { applicationId }),
    ...(Array.isArray(roleIds) && { roleIds: roleIds.filter((id) => typeof id === "string") }),
  };
}
