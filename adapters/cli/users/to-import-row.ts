import type { ImportPlan, RoleTarget } from "./import-plan.js";
import { type MovedUser, type Row, toUuid } from "./source.js";

/** The row of an import, or the reason why there is none; and the lost data. */
export interface ImportRow {
  readonly row: Row | string;
  readonly losses: readonly string[];
}

/** Converts a user to an import row. */
export function toImportRow({ fields, id, losses = [], roles = [] }: MovedUser, plan: ImportPlan): ImportRow {
  const { email, passwordHash, phoneNumber, username } = fields;
  const name = id ?? email ?? username ?? phoneNumber;
  if ((email ?? username ?? phoneNumber) === undefined)
    return { row: "The user has no email, username or phone number.", losses: [] };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  const targets = roles.flatMap((role) => plan.roles.get(role) ?? []);
  const unknown = roles.filter((role) => !plan.roles.has(role)).map((role) => `the role or group ${role}`);
  const scheme =
    passwordHash === undefined && plan.scheme !== undefined ? { passwordHash: `${plan.scheme}$${username ?? email ?? id}` } : {};
  const row = {
    ...Object.fromEntries(known),
    ...scheme,
    ...(plan.from !== "latchkey" && { id: toUuid(plan.from, String(name)) }),
    ...toRelations(plan, targets),
    ...(plan.tenantId !== undefined && { tenantId: plan.tenantId }),
  };
  return { row, losses: [...losses, ...unknown] };
}

function toRelations({ applicationIds }: ImportPlan, targets: readonly RoleTarget[]): Row {
  const ids = new Set([...applicationIds, ...targets.flatMap(({ applicationId }) => applicationId ?? [])]);
  const registrations = [...ids].map((applicationId) => {
    const roles = targets.flatMap((target) => (target.applicationId === applicationId ? (target.role ?? []) : []));
    return { applicationId, ...(roles.length > 0 && { roles: [...new Set(roles)] }) };
  });
  const groups = new Set(targets.flatMap(({ groupId }) => groupId ?? []));
  return {
    ...(registrations.length > 0 && { registrations }),
    ...(groups.size > 0 && { memberships: [...groups].map((groupId) => ({ groupId })) }),
  };
}
