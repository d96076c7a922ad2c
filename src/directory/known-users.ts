import type { FieldErrorList } from "../errors/identity-error.js";
import { directoryContext, type WriteCall } from "../operations/operation.js";

/** Users whom the fields of a record name. */
export interface NamedUsers {
  readonly wrapper: string;
  /** Ids by field: that of the user to whom the record belongs first. */
  readonly ids: Readonly<Record<string, string>>;
  /** Whether the others may be of another tenant. */
  readonly mayBeOthers?: boolean;
}

/** The tenant of a record by the users whom it names; adds `[invalid]<wrapper>.<field>` for each who is out of sight or of another tenant. */
export async function findTenantOfUsers(
  call: WriteCall,
  { ids, mayBeOthers = false, wrapper }: NamedUsers,
  errors: FieldErrorList,
): Promise<string> {
  const found = await call.service.directory.findUsers(directoryContext(call), [...new Set(Object.values(ids))]);
  // A host's directory is asked within the scope; that it keeps to it is checked all the same.
  const seen = found.filter(({ tenantId }) => call.scope.kind === "global" || tenantId === call.scope.tenantId);
  const tenants = new Map(seen.map((user) => [user.id, user.tenantId]));
  const own = tenants.get(Object.values(ids)[0] ?? "");
  for (const [field, id] of Object.entries(ids)) {
    const tenantId = tenants.get(id);
    if (tenantId === undefined || (!mayBeOthers && tenantId !== (own ?? tenantId))) errors.add("invalid", `${wrapper}.${field}`);
  }
  return own ?? "";
}
