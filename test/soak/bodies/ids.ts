/** The ids of the records that the storage is filled with: known beforehand, so that requests can name them. */

/** The families whose records are named by requests. */
export const families = [
  "tenant",
  "user",
  "group",
  "member",
  "application",
  "role",
  "apiKey",
  "key",
  "webhook",
  "consent",
  "userConsent",
  "field",
  "form",
  "template",
  "accessList",
  "entityType",
  "permission",
  "entity",
  "lambda",
  "probe",
  "stranger",
] as const;

/** A family whose records are named by requests; `probe` is the group that is read beside them, and `stranger` names no record at all. */
export type Family = (typeof families)[number];

/** The id of a record of a family. */
export function idOf(family: Family, index: number): string {
  const number = 0xa000_0000 + families.indexOf(family);
  return `${number.toString(16)}-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

/** The id of a record that is there in every storage that is filled, another one for each of some numbers in a row. */
export function someIdOf(family: Family, number: number): string {
  return idOf(family, 1 + (number % 100));
}

/** The family that a member of a body or a parameter of a path refers to, by its name. */
export function familyOf(name: string): Family | undefined {
  return referred.find(([pattern]) => pattern.test(name))?.[1];
}

const referred: readonly (readonly [pattern: RegExp, family: Family])[] = [
  [/^(tenant|source)?tenantIds?$/i, "tenant"],
  [/^(giver|recipient)?userIds?$|^members\.key$/i, "user"],
  [/^groupIds?$|^members$/, "group"],
  [/^memberIds?$/, "member"],
  [/^applicationIds?$/, "application"],
  [/^roleIds?$|^roles$/, "role"],
  [/^webhookIds?$/, "webhook"],
  [/^userConsentId$/, "userConsent"],
  [/consentId$/i, "consent"],
  [/^fieldIds?$|^fields$/, "field"],
  [/^formId$|FormId$/, "form"],
  [/TemplateId$/, "template"],
  [/AccessControlListId$/, "accessList"],
  [/^(entityTypeId|type)$/, "entityType"],
  [/^permissionIds?$/, "permission"],
  [/EntityId$|^entityId$/i, "entity"],
  [/^lambdaId$|LambdaId$/, "lambda"],
  [/keyId$/i, "key"],
];
