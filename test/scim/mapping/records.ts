// Records as the API answers them, with the fields that the mapping reads.
import type { Group, User } from "latchkey/types";

/** A user, as far as the mapping reads it. */
export function toUser(fields: Partial<User> = {}): User {
  return {
    id: "00000000-0000-0001-0000-00000000000a",
    tenantId: "00000000-0000-0001-0000-00000000000b",
    insertInstant: Date.UTC(2026, 0, 1),
    lastUpdateInstant: Date.UTC(2026, 0, 2),
    active: true,
    connectorId: "00000000-0000-0001-0000-00000000000c",
    data: {},
    identities: [],
    memberships: [],
    passwordChangeRequired: false,
    preferredLanguages: [],
    registrations: [],
    usernameStatus: "ACTIVE",
    verified: true,
    ...fields,
  };
}

/** A group, as far as the mapping reads it. */
export function toGroup(fields: Partial<Group> = {}): Group {
  return {
    id: "00000000-0000-0002-0000-00000000000a",
    tenantId: "00000000-0000-0001-0000-00000000000b",
    insertInstant: Date.UTC(2026, 0, 1),
    lastUpdateInstant: Date.UTC(2026, 0, 2),
    name: "Crew",
    data: {},
    roles: {},
    ...fields,
  };
}
