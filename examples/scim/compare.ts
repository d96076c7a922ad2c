/** What tenants have in common: records and events, with names in place of ids. */
import { type IdentityService, type RecordedEvent, toCanonicalJson } from "latchkey";

/** Ids of users and groups, and the names by which tenants are compared. */
type Names = ReadonlyMap<string, string>;

/** An event, as far as it is looked at here. */
interface SentEvent extends RecordedEvent {
  readonly user?: { readonly id: string; readonly username: string };
  readonly group?: { readonly id: string; readonly name: string };
  readonly members?: readonly { readonly userId: string }[];
}

/** Returns the names of all users and groups that ever were, by their ids. */
export function readNames(events: readonly SentEvent[]): Names {
  const names = new Map<string, string>();
  for (const { group, type, user } of events) {
    if (type === "user.create" && user !== undefined) names.set(user.id, user.username);
    if (type === "group.create" && group !== undefined) names.set(group.id, group.name);
  }
  return names;
}

/** Returns the users and groups of a tenant, one text each, sorted. Users name their groups. */
export async function readState(identity: IdentityService, tenantId: string, names: Names): Promise<readonly string[]> {
  const { groups } = await identity.groups.list({}, { tenantId });
  const records: object[] = groups.map((group) => ({ ...group, data: undefined }));
  let next: string | undefined;
  do {
    const search = { numberOfResults: 1_000, ...(next !== undefined && { nextResults: next }) };
    const page = await identity.users.search({ search }, { tenantId });
    for (const user of page.users) records.push(user);
    next = page.nextResults;
  } while (next !== undefined);
  return records.map((record) => toText(record, names)).toSorted();
}

/** Returns the events of a tenant, one text each, sorted. An event about several members counts as one of each. */
export function readEvents(events: readonly SentEvent[], tenantId: string, names: Names): readonly string[] {
  return events
    .filter((event) => event.tenantId === tenantId)
    .flatMap(({ group, linkedObjectId, members, type, user, ...event }) => {
      const { original } = event as { readonly original?: object };
      const about = { type, linkedObjectId, user, group: withoutData(group), original: group ? withoutData(original) : original };
      return members === undefined ? [about] : members.map(({ userId }) => ({ ...about, userId }));
    })
    .map((event) => toText(event, names))
    .toSorted();
}

// Entra sends an id of its own with a group, and Okta sends none.
function withoutData(group: object | undefined): object | undefined {
  return group && { ...group, data: undefined };
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function toText(record: object, names: Names): string {
  return toCanonicalJson(JSON.parse(JSON.stringify(record), (_, value) => toComparable(value, names)));
}

// The order of memberships that were made at the same time is that of their ids.
function toComparable(value: unknown, names: Names): unknown {
  if (typeof value === "string") return value.replace(uuid, (id) => names.get(id) ?? "id");
  return Array.isArray(value) ? value.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)) : value;
}
