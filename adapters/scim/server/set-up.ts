import type { InProcessApi } from "latchkey";

/** The id of the built-in entity type of SCIM servers. Its permissions are those that clients need. */
export const scimServerTypeId = "0f4dd0ac-5f0b-4d25-9f4c-8a4f0f1d2c01";

/** The id of the built-in entity type of SCIM clients. */
export const scimClientTypeId = "0f4dd0ac-5f0b-4d25-9f4c-8a4f0f1d2c02";

const actions = ["create", "delete", "read", "update"] as const;
const subjects = ["enterprise:user", "group", "user"] as const;

/** The permissions of SCIM servers by name, with their description. */
export const scimPermissions: ReadonlyMap<string, string> = new Map([
  ...subjects.flatMap((subject) => actions.map((action) => [`scim:${subject}:${action}`, describe(action, subject)] as const)),
  ["scim:resource-types:read", "Read the resource types"],
  ["scim:schemas:read", "Read the schemas"],
  ["scim:service-provider-config:read", "Read what the server supports"],
]);

function describe(action: (typeof actions)[number], subject: (typeof subjects)[number]): string {
  const plural = { "enterprise:user": "enterprise users", group: "groups", user: "users" }[subject];
  return `${action[0]?.toUpperCase()}${action.slice(1)} ${plural}`;
}

/** Creates the built-in entity types of SCIM, unless types with these names exist. */
export async function setUpScim(api: InProcessApi): Promise<void> {
  const { entityTypes } = await api.entityTypes.search({ search: { name: "SCIM", numberOfResults: 1_000 } });
  const isTaken = (wanted: string): boolean => entityTypes.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const permissions = [...scimPermissions].map(([name, description]) => ({ name, description, isDefault: true }));
  if (!isTaken("SCIM server"))
    await api.entityTypes.create({ entityTypeId: scimServerTypeId, entityType: { name: "SCIM server", permissions } });
  if (!isTaken("SCIM client"))
    await api.entityTypes.create({ entityTypeId: scimClientTypeId, entityType: { name: "SCIM client" } });
}
