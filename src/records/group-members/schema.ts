import { data, id, idSet, list, map, object, type Schema } from "../../http/schema/fields.js";

/** A membership on the wire (docs/reference/groups.md). Instants are epoch milliseconds. */
export interface GroupMember {
  /** The id of the membership, not of the user. */
  readonly id: string;
  /** The member. */
  readonly userId: string;
  /** Absent in lists of members by group. */
  readonly groupId?: string;
  /** Free metadata of the membership: any JSON object. */
  readonly data: Record<string, unknown>;
  /** When the user became a member, in epoch milliseconds. A PUT gives all members the same new instant. */
  readonly insertInstant: number;
}

/** A membership to create. */
export interface NewGroupMember {
  /** A user of the tenant of the group. */
  readonly userId: string;
  /** The UUID of the membership. Default: a new one; an existing member keeps the stored id. */
  readonly id?: string | undefined;
  /** Free metadata: any JSON object. Default `{}`; an existing member keeps the stored metadata. */
  readonly data?: Record<string, unknown> | undefined;
}

/** The body of POST and PUT. */
export interface GroupMembersRequest {
  /** New members by the id of their group. PUT replaces the members of these groups; `[]` empties one. */
  readonly members: Readonly<Record<string, readonly NewGroupMember[]>>;
}

/** The response of POST and PUT. */
export interface GroupMembersResponse {
  /** The stored members by the id of their group. */
  readonly members: Readonly<Record<string, readonly GroupMember[]>>;
}

/** The bodies of DELETE; one request can have both members. */
export interface RemoveMembersRequest {
  /** Ids of memberships, at most 10,000; unknown ones are ignored. */
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
