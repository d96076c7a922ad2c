import { data, id, idSet, list, map, object, type Schema } from "../../http/schema/fields.js";

/** A membership on the wire (docs/reference/groups.md). Instants are epoch milliseconds. */
export interface GroupMember {
  /** The id of the membership, not of the user. */
  readonly id: string;
  readonly userId: string;
  /** Left out where the members are listed by group. */
  readonly groupId?: string;
  readonly data: Record<string, unknown>;
  readonly insertInstant: number;
}

/** A membership to be made; the id is fresh when absent. */
export interface NewGroupMember {
  readonly userId: string;
  readonly id?: string | undefined;
  readonly data?: Record<string, unknown> | undefined;
}

/** The body of POST and PUT: members by the id of their group. */
export interface GroupMembersRequest {
  readonly members: Readonly<Record<string, readonly NewGroupMember[]>>;
}

/** The answer of POST and PUT. */
export interface GroupMembersResponse {
  readonly members: Readonly<Record<string, readonly GroupMember[]>>;
}

/** The body forms of DELETE; both may come in one request. */
export interface RemoveMembersRequest {
  readonly memberIds?: readonly string[] | undefined;
  /** User ids by the id of the group. */
  readonly members?: Readonly<Record<string, readonly string[]>> | undefined;
}

export const groupMembersRequest: Schema<GroupMembersRequest> = object({
  members: map(list(object({ userId: id(), id: id().optional(), data: data().optional() }))),
});

export const removeMembersRequest: Schema<RemoveMembersRequest> = object({
  memberIds: idSet().optional(),
  members: map(idSet()).optional(),
});
