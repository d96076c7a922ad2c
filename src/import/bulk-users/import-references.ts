import { FieldErrorList } from "../../errors/identity-error.js";
import { findInChunks } from "../../operations/bulk-write.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { findTenant } from "../../operations/references/references.js";
import { globalScope, type StoredRecord, type Table } from "../../ports/storage.js";
import { applicationRolesTable } from "../../records/application-roles/family.js";
import type { ApplicationRole } from "../../records/application-roles/schema.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import type { ParsedImportedRegistration, ParsedImportedUser } from "../../records/bulk-users/schema.js";
import { consentsTable } from "../../records/consents/family.js";
import { groupsTable } from "../../records/groups/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text.js";
import { pathOf } from "./parse-import.js";

interface KnownApplication {
  readonly tenantId: string | null;
  readonly asksVerification: boolean;
  readonly roles: readonly ApplicationRole[];
}

/** The applications, consents and groups that the users of an import refer to. */
export interface ImportReferences {
  readonly applications: ReadonlyMap<string, KnownApplication>;
  readonly consents: ReadonlyMap<string, StoredRecord>;
  readonly groups: ReadonlyMap<string, StoredRecord>;
}

/** The references that a transaction has read so far. */
export interface ReadReferences extends ImportReferences {
  readonly applications: Map<string, KnownApplication>;
  readonly consents: Map<string, StoredRecord>;
  readonly groups: Map<string, StoredRecord>;
}

/** Returns empty references, for the start of a transaction. */
export function noReferences(): ReadReferences {
  return { applications: new Map(), consents: new Map(), groups: new Map() };
}

/**
 * Reads the references of users; `tenants` are those of the users in the order of the body.
 * @throws IdentityError 400 `[invalid]users[…]` for each reference to a missing record or another tenant, `[duplicate]users[…]`
 *   for a repeated one.
 */
export async function findReferences(
  call: WriteCall,
  users: readonly ParsedImportedUser[],
): Promise<{ readonly tenants: readonly StoredRecord[]; readonly references: ImportReferences }> {
  const tenants = await findTenants(call, users);
  const references = noReferences();
  await readReferences(call, users, references);
  const errors = new FieldErrorList();
  for (const [index, user] of users.entries()) {
    if (errors.isFull) break;
    addReferenceErrors(errors, references, { user, tenantId: tenants[index]?.id, path: pathOf(index) });
  }
  errors.throwIfAny();
  return { tenants, references };
}

/** Reads the existing references of users into `applications`, `consents` and `groups`. */
export async function readReferences(
  call: WriteCall,
  users: readonly ParsedImportedUser[],
  { applications, consents, groups }: ReadReferences,
): Promise<void> {
  const idsIn = (list: (user: ParsedImportedUser) => readonly string[]): readonly string[] => users.flatMap(list);
  await addApplications(
    call,
    idsIn(({ registrations }) => registrations.map(({ applicationId }) => applicationId)),
    applications,
  );
  await addByIds(
    call,
    { table: groupsTable, ids: idsIn(({ memberships }) => memberships.map(({ groupId }) => groupId)) },
    groups,
  );
  await addByIds(call, { table: consentsTable, ids: idsIn((user) => user.consents.map(({ consentId }) => consentId)) }, consents);
}

/** A user with the path for errors. */
interface PlacedUser {
  readonly user: ParsedImportedUser;
  readonly tenantId: string | undefined;
  readonly path: string;
}

/** Adds the errors in a user's references. */
export function addReferenceErrors(
  errors: FieldErrorList,
  { applications, consents, groups }: ImportReferences,
  { path, tenantId, user: { consents: given, memberships, registrations } }: PlacedUser,
): void {
  for (const [place, { consentId }] of given.entries())
    if (!consents.has(consentId)) errors.add("invalid", `${path}.consents[${place}].consentId`);
  const named = [
    { list: "memberships", field: "groupId", known: groups, ids: memberships.map(({ groupId }) => groupId) },
    { list: "registrations", field: "applicationId", known: applications, ids: registrations.map((one) => one.applicationId) },
  ];
  for (const { field, ids, known, list } of named)
    for (const [place, id] of ids.entries()) {
      if (known.get(id)?.tenantId !== tenantId) errors.add("invalid", `${path}.${list}[${place}].${field}`);
      if (ids.indexOf(id) !== place) errors.add("duplicate", `${path}.${list}[${place}].${field}`);
    }
  for (const [place, registration] of registrations.entries())
    if (rolesOf(applications, registration) === undefined) errors.add("invalid", `${path}.registrations[${place}].roles`);
}

/**
 * Returns the roles of a registration as the application spells them, by default its default roles; undefined for an unknown
 * role.
 */
export function rolesOf(
  applications: ImportReferences["applications"],
  { applicationId, roles: names }: ParsedImportedRegistration,
): readonly string[] | undefined {
  const roles = applications.get(applicationId)?.roles ?? [];
  if (names.length === 0) return roles.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  const found = names.flatMap((name) => roles.find((role) => foldText(role.name) === foldText(name))?.name ?? []);
  return found.length === names.length || !applications.has(applicationId) ? found : undefined;
}

/**
 * Returns the tenants of users, in the order of the body. @throws IdentityError 400 for an unknown tenant, and for a missing one
 * if several exist.
 */
export async function findTenants(call: OperationCall, users: readonly ParsedImportedUser[]): Promise<readonly StoredRecord[]> {
  const known = new Map<string | undefined, StoredRecord>();
  for (const [index, { tenantId }] of users.entries())
    if (!known.has(tenantId)) known.set(tenantId, await findTenant(call, { tenantId, path: pathOf(index, "tenantId") }));
  return users.map(({ tenantId }) => known.get(tenantId) as StoredRecord);
}

async function addApplications(call: WriteCall, ids: readonly string[], read: ReadReferences["applications"]): Promise<void> {
  const found = new Map<string, StoredRecord>();
  await addByIds(call, { table: applicationsTable, ids: ids.filter((id) => !read.has(id)) }, found);
  for (const application of found.values()) {
    const ofApplication = equalsFilter("applicationId", application.id);
    const roles = await call.reader.find(globalScope, applicationRolesTable, ofApplication);
    read.set(application.id, {
      tenantId: application.tenantId,
      asksVerification: parseRecord<Partial<Application>>(application).verifyRegistration === true,
      roles: roles.map((role) => parseRecord<ApplicationRole>(role)),
    });
  }
}

async function addByIds(
  call: WriteCall,
  { ids, table }: { readonly table: Table; readonly ids: readonly string[] },
  read: Map<string, StoredRecord>,
): Promise<void> {
  const values = [...new Set(ids)].filter((id) => !read.has(id));
  for (const record of await findInChunks(call, globalScope, { table, column: "id", values })) read.set(record.id, record);
}
