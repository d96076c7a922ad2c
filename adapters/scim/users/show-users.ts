import type { User } from "latchkey/types";
import { toScimUser } from "../mapping/show-user.js";
import type { ScimResource } from "../schema/schemas.js";
import { locationOf, type TypeCall } from "../server/call.js";
import { runConverter, toConvertedResource } from "../server/converters.js";
import { groupPlaces } from "./group-names.js";

/** Converts users to resources: by the default mapping, then the tenant's response converter. */
export async function showUsers(call: TypeCall, users: readonly User[], isWithGroups: boolean): Promise<readonly ScimResource[]> {
  const placesOf = isWithGroups ? await groupPlaces(call, users) : () => [];
  const shown = users.map((user) =>
    toScimUser(user, { location: locationOf(call, user.id), type: call.type, groups: placesOf(user) }),
  );
  const lambdaId = call.tenant.converters[call.type.id]?.response;
  if (lambdaId === undefined) return shown;
  const converted: ScimResource[] = [];
  for (const [place, user] of users.entries()) {
    const scimUser = shown[place] ?? {};
    const changed = await runConverter(call, lambdaId, { scimUser, user });
    converted.push(toConvertedResource(call, scimUser, changed.scimUser));
  }
  return converted;
}

/** Converts one user to a resource with all attributes. */
export async function showUser(call: TypeCall, user: User): Promise<ScimResource> {
  const [shown = {}] = await showUsers(call, [user], true);
  return shown;
}
