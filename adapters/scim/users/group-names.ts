import type { User } from "latchkey/types";
import { locationOf, type TypeCall } from "../server/call.js";
import { ifFound } from "../server/if-found.js";

/** A group of a user, with its URL as `location`. */
interface GroupPlace {
  readonly id: string;
  readonly name: string;
  readonly location: string;
}

/** Returns a function that returns the groups of each of these users. Reads each group once. */
export async function groupPlaces(call: TypeCall, users: readonly User[]): Promise<(user: User) => readonly GroupPlace[]> {
  const ids = new Set(users.flatMap(({ memberships }) => memberships.map(({ groupId }) => groupId ?? "")));
  const places = new Map<string, GroupPlace>();
  for (const id of ids) {
    // A group removed meanwhile has no members.
    const found = await ifFound(call.api.groups.retrieve({ groupId: id }, call.options));
    if (found === undefined) continue;
    const location = locationOf({ root: call.root, type: call.tenant.types.group }, id);
    places.set(id, { id, name: found.group.name, location });
  }
  return ({ memberships }) => memberships.flatMap(({ groupId = "" }) => places.get(groupId) ?? []);
}
