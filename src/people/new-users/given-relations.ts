import { FieldErrorList, generalError } from "../../errors/identity-error.js";
import { hasGrants } from "../../http/authenticate/principal.js";
import { findInChunks } from "../../operations/bulk-write.js";
import type { Change } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { groupsTable } from "../../records/groups/family.js";
import type { ParsedMembership, ParsedUserRequest, User } from "../../records/users/schema.js";
import { writeGroups } from "../group-members/member-batches.js";
import { type MemberSet, merging, toMemberSet } from "../group-members/member-writes.js";
import { presentWithRelations } from "../relations/user-relations.js";

const ways = {
  memberships: "Add members of groups by POST /api/group/member.",
  methods: "Enable second factors by POST /api/user/two-factor/{userId}.",
  recoveryCodes: "Make recovery codes by POST /api/user/two-factor/recovery-code/{userId}.",
  registrations: "Register users by POST /api/user/registration/{userId}.",
} as const;

const nothing: Pick<User, "memberships" | "registrations" | "twoFactor"> = { memberships: [], registrations: [] };

const addsMembers = new Map([["/api/group/member", new Set(["POST"])]]);

/**
 * Refuses relations of a user in a request that would be dropped: new users get memberships and a second factor, and a PUT or
 * PATCH may repeat the stored relations.
 * @throws IdentityError 400 `[invalid]<path>`, with the call to use instead; 401 for memberships from a caller that may not add
 * members.
 */
export async function assertKnownRelations(
  call: WriteCall,
  { draft, request, stored }: Change<User, ParsedUserRequest>,
): Promise<void> {
  const { registrations = [], twoFactor } = request.given ?? {};
  const memberships = membershipsOf(request);
  const errors = new FieldErrorList();
  const known = stored === undefined ? nothing : await readUser(call, stored);
  for (const [index, { applicationId }] of registrations.entries())
    if (!known.registrations.some((one) => one.applicationId === applicationId))
      errors.add("invalid", `user.registrations[${index}].applicationId`, ways.registrations);
  if (stored === undefined) {
    if (memberships.length > 0 && !hasGrants(call.principal, addsMembers)) throw generalError("unauthorized");
    await findGroups({ ...call, scope: tenantScope(draft.record.tenantId) }, memberships, errors);
  } else {
    for (const { groupId, place } of memberships)
      if (!known.memberships.some((one) => one.groupId === groupId)) errors.add("invalid", pathOf(place), ways.memberships);
    for (const [index, { id }] of (twoFactor?.methods ?? []).entries())
      if (!known.twoFactor?.methods.some((one) => one.id === id))
        errors.add("invalid", `user.twoFactor.methods[${index}]`, ways.methods);
    if ((twoFactor?.recoveryCodes ?? []).length > 0) errors.add("invalid", "user.twoFactor.recoveryCodes", ways.recoveryCodes);
  }
  errors.throwIfAny();
}

/** Adds a new user to groups, with the events. */
export async function joinGroups(
  call: WriteCall,
  { id: userId, tenantId }: StoredRecord,
  request: ParsedUserRequest,
): Promise<void> {
  const memberships = membershipsOf(request);
  const within = { ...call, scope: tenantScope(tenantId ?? "") };
  const groups = await findGroups(within, memberships, new FieldErrorList());
  const sets: MemberSet[] = [];
  for (const { data, groupId, id } of memberships) {
    const group = groups.get(groupId);
    if (group !== undefined) sets.push(await toMemberSet(call.service.runtime, group, [{ userId, data, id }]));
  }
  await writeGroups(merging, within, sets, () => undefined);
}

interface PlacedMembership extends ParsedMembership {
  /** The index in the body. */
  readonly place: number;
}

function membershipsOf({ given }: ParsedUserRequest): readonly PlacedMembership[] {
  return (given?.memberships ?? []).map((membership, place) => ({ ...membership, place }));
}

/** The groups of memberships, by id; adds an error for each that the tenant of the call does not have, and for each repeated one. */
async function findGroups(
  call: WriteCall,
  memberships: readonly PlacedMembership[],
  errors: FieldErrorList,
): Promise<ReadonlyMap<string, StoredRecord>> {
  if (memberships.length === 0) return new Map();
  const list = { table: groupsTable, column: "id", values: [...new Set(memberships.map(({ groupId }) => groupId))] };
  const groups = new Map((await findInChunks(call, call.scope, list)).map((group) => [group.id, group]));
  const seen = new Set<string>();
  for (const { groupId, place } of memberships) {
    const isNamed = seen.has(groupId);
    if (isNamed || !groups.has(groupId)) errors.add(isNamed ? "duplicate" : "invalid", pathOf(place));
    seen.add(groupId);
  }
  return groups;
}

const pathOf = (place: number): string => `user.memberships[${place}].groupId`;

async function readUser(call: WriteCall, stored: StoredRecord): Promise<typeof nothing> {
  const [text = "{}"] = await presentWithRelations(call, [stored]);
  return { ...nothing, ...(JSON.parse(text) as Partial<User>) };
}
