/** A family with records that a picker can choose. */
export type PickableFamily =
  | "user"
  | "group"
  | "application"
  | "tenant"
  | "entity"
  | "entityType"
  | "emailTemplate"
  | "connector"
  | "identityProvider"
  | "lambda"
  | "key"
  | "accessList"
  | "theme";

const endings: readonly (readonly [RegExp, PickableFamily])[] = [
  [/emailTemplateId$/i, "emailTemplate"],
  [/lambdaId$|^lambda[A-Z]\w*Id$|^\w+(Populate|Reconcile|Validation|Requirement|Converter)Id$/, "lambda"],
  [/ipAccessControlListId$/i, "accessList"],
  [/themeId$/, "theme"],
  [/connectorId$/i, "connector"],
  [/identityProviderId$/i, "identityProvider"],
  [/applicationId$/i, "application"],
  [/tenantId$/i, "tenant"],
  [/groupId$/i, "group"],
  [/entityTypeId$/i, "entityType"],
  [/(user|giver)Id$/i, "user"],
  [/keyId$/i, "key"],
];

/** The family that a member refers to, derived from the member's name. */
export function familyOfMember(name: string): PickableFamily | undefined {
  return endings.find(([ending]) => ending.test(name))?.[1];
}
