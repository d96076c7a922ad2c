import { data, id, idSet, list, map, object, type Schema } from "../../http/schema/fields.js";

/** A membership on the wire (docs/reference/groups.md). Instants are epoch milliseconds. */
export interface GroupMember {
  /** The id of the membership, not of the user. */
  readonly id: string;
  /** The user who is a member. */
  readonly userId: string;
  /** Left out where the members are listed by group. */
  readonly groupId?: string;
  /** Free metadata of the membership: any JSON object. */
  readonly data: Record<string, unknown>;
  /** When the user became a member, in epoch milliseconds. A PUT gives all members the same new instant. */
  readonly insertInstant: number;
}

/** A membership to be made; the id is fresh when absent. */
export interface NewGroupMember {
  /** A user of the tenant of the group. */
  readonly userId: string;
  /** The UUID of the membership. Default: a fresh one; a user who is a member already has the stored id. */
  readonly id?: string | undefined;
  /** Free metadata: any JSON object. Default `{}`; left out for a member, the stored metadata stays. */
  readonly data?: Record<string, unknown> | undefined;
}

/** The body of POST and PUT: members by the id of their group. */
export interface GroupMembersRequest {
  /** New members by the id of their group. PUT replaces the members of these groups; `[]` empties one. */
  readonly members: Readonly<Record<string, readonly NewGroupMember[]>>;
}

/** The answer of POST and PUT. */
export interface GroupMembersResponse {
  /** The stored members by the id of their group. */
  readonly members: Readonly<Record<string, readonly GroupMember[]>>;
}

/** The body forms of DELETE; both may come in one request. */
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
