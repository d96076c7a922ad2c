import { describeRevokedTokens } from "../accounts/sessions/revocation-events.js";
import type { NewEvent } from "../delivery/events/recorded-event.js";
import { describeRemovedMembers } from "../directory/membership-events.js";
import { describeRemovedRegistrations } from "../directory/registration-events.js";
import type { WriteCall } from "../operations/operation.js";
import type { StoredRecord, Table } from "../ports/storage.js";
import { describeRemovedEntities } from "./entities/rules.js";
import { entitiesTable } from "./entities/table.js";
import { groupMembersTable } from "./group-members/table.js";
import { describeRemovedGroups, describeRemovedRoles } from "./groups/rules.js";
import { groupRolesTable, groupsTable } from "./groups/table.js";
import { refreshTokensTable } from "./refresh-tokens/table.js";
import { registrationsTable } from "./registrations/table.js";
import { describeRemovedUsers } from "./users/rules.js";
import { usersTable } from "./users/table.js";

/**
 * The events of records that are about to be removed, which show them as they are before; `removedWith` is the table of the record that they
 * are removed with.
 */
export type DescribeRemoval = (
  call: WriteCall,
  records: readonly StoredRecord[],
  removedWith?: Table,
) => Promise<readonly NewEvent[]>;

/** What publishes events when it is removed, by its table. The reference has no events for other records. */
export const removalEvents: ReadonlyMap<Table, DescribeRemoval> = new Map<Table, DescribeRemoval>([
  [entitiesTable, describeRemovedEntities],
  [groupMembersTable, describeRemovedMembers],
  [groupRolesTable, describeRemovedRoles],
  [groupsTable, describeRemovedGroups],
  [refreshTokensTable, describeRevokedTokens],
  [registrationsTable, describeRemovedRegistrations],
  [usersTable, describeRemovedUsers],
]);
