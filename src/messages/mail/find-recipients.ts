import { fieldError, generalError, type IdentityError } from "../../errors/identity-error.js";
import { isMailAddress, toHeaderText } from "../../http/schema/mail-address.js";
import { parseRecord } from "../../operations/family/family.js";
import { requireId } from "../../operations/family/record-steps.js";
import { directoryContext, type OperationCall } from "../../operations/operation.js";
import { assertUsableTenant, resolveTenant } from "../../operations/references/references.js";
import type { DirectoryApplication, DirectoryRegistration, DirectoryUser } from "../../ports/directory.js";
import type { MailAddress } from "../../ports/event-transport.js";
import { globalScope } from "../../ports/storage.js";
import { emailTemplatesTable } from "../../records/email-templates/family.js";
import type { EmailTemplate, ParsedSendEmailRequest } from "../../records/email-templates/schema.js";
import type { Tenant } from "../../records/tenants/schema.js";

/** A recipient of a mail. */
export interface Recipient {
  /** The key in the response: the user id, or the address. */
  readonly name: string;
  readonly userId?: string | undefined;
  /** Absent for a user without a valid email address. */
  readonly to?: MailAddress | undefined;
  readonly tenant: Tenant;
  /** In order of preference. */
  readonly languages: readonly string[];
  /** Variables of the template. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Finds the recipients of a request, users first, without duplicates.
 * @throws IdentityError 400 `[invalid]` for users or an application outside of the scope; `[TenantIdRequired]` if the tenant of
 * the addresses is ambiguous.
 */
export async function findRecipients(call: OperationCall, request: ParsedSendEmailRequest): Promise<readonly Recipient[]> {
  const users = await findUsers(call, request.userIds);
  const application = await findApplication(call, request.applicationId);
  if (application !== undefined && users.some(({ tenantId }) => tenantId !== application.tenantId))
    throw fieldError("invalid", "applicationId");
  const anonymousTenantId = request.toAddresses.length === 0 ? undefined : await tenantOfAddresses(call, application);
  const tenants = await findTenants(call, [...users.map(({ tenantId }) => tenantId), anonymousTenantId ?? []].flat());
  const registrations = application === undefined ? [] : await findRegistrations(call, application, request.userIds);
  const common = { ...toJson({ application }), requestData: request.requestData };
  const ofUsers = users.map((user) => {
    const tenant = tenants.get(user.tenantId);
    if (tenant === undefined) throw noSuchUser(user.id);
    const registration = registrations.find(({ userId }) => userId === user.id);
    const variables = { ...common, tenant, ...toJson({ registration, user }) };
    return { ...ofUser(user, request.preferredLanguages), tenant, variables };
  });
  const tenant = tenants.get(anonymousTenantId ?? "");
  if (tenant === undefined) return ofUsers;
  const variables = { ...common, tenant };
  return [...ofUsers, ...ofAddresses(request).map((one) => ({ ...one, tenant, variables }))];
}

type Person = Pick<Recipient, "languages" | "name" | "to" | "userId">;

function ofUser(user: DirectoryUser, languages: readonly string[]): Person {
  const { email, id, preferredLanguages } = user;
  const own = Array.isArray(preferredLanguages) ? preferredLanguages.filter((one) => typeof one === "string") : [];
  const to = typeof email === "string" && isMailAddress(email) ? { address: email, display: nameOf(user) } : undefined;
  return { name: id, userId: id, to, languages: [...own, ...languages] };
}

function nameOf({ firstName, fullName, lastName }: DirectoryUser): string | undefined {
  const names = typeof fullName === "string" ? [fullName] : [firstName, lastName];
  return toHeaderText(names.filter((name) => typeof name === "string").join(" ")) || undefined;
}

// Addresses that differ only in case are the same mailbox nearly everywhere.
function ofAddresses({ preferredLanguages, toAddresses }: ParsedSendEmailRequest): readonly Person[] {
  const known = new Map(toAddresses.toReversed().map((one) => [one.address.toLowerCase(), one]));
  return [...known.values()].toReversed().map((to) => ({ name: to.address, to, languages: preferredLanguages }));
}

// Checks the tenants even though the directory should respect the scope.
async function findUsers(call: OperationCall, ids: readonly string[]): Promise<readonly DirectoryUser[]> {
  if (ids.length === 0) return [];
  const found = await call.service.directory.findUsers(directoryContext(call), ids);
  const known = new Map(found.filter((user) => isSeen(call, user)).map((user) => [user.id, user]));
  const users = ids.flatMap((id) => known.get(id) ?? []);
  const stranger = ids.find((id) => !known.has(id));
  if (stranger !== undefined) throw noSuchUser(stranger);
  return users;
}

function noSuchUser(id: string): IdentityError {
  return fieldError("invalid", "userIds", `There is no user ${id}.`);
}

async function findApplication(call: OperationCall, id: string | undefined): Promise<DirectoryApplication | undefined> {
  if (id === undefined) return undefined;
  const found = await call.service.directory.findApplications(directoryContext(call), [id]);
  const application = found.find((one) => one.id === id && isSeen(call, one));
  if (application === undefined) throw fieldError("invalid", "applicationId");
  return application;
}

async function findRegistrations(
  call: OperationCall,
  { id }: DirectoryApplication,
  userIds: readonly string[],
): Promise<readonly DirectoryRegistration[]> {
  if (userIds.length === 0) return [];
  const found = await call.service.directory.findRegistrations(directoryContext(call), userIds);
  return found.filter(({ applicationId }) => applicationId === id);
}

function isSeen({ scope }: OperationCall, { tenantId }: { readonly tenantId: string }): boolean {
  return scope.kind === "global" || tenantId === scope.tenantId;
}

function tenantOfAddresses(call: OperationCall, application: DirectoryApplication | undefined): Promise<string> {
  return resolveTenant(call, application && { tenantId: application.tenantId, path: "applicationId" });
}

async function findTenants(call: OperationCall, tenantIds: readonly string[]): Promise<ReadonlyMap<string, Tenant>> {
  const values = [...new Set(tenantIds)];
  for (const tenantId of values) await assertUsableTenant(call, tenantId);
  const found = await call.reader.find(globalScope, call.service.tenantsTable, { op: "in", column: "id", values });
  return new Map(found.map(({ id, json }) => [id, JSON.parse(json) as Tenant]));
}

// A host's directory may return more than plain values.
function toJson(variables: object): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(variables));
}

/**
 * Loads the template of the request. @throws IdentityError 404 when it does not exist; `[missing]emailTemplateId` without an
 * id.
 */
export async function loadTemplate(call: OperationCall): Promise<EmailTemplate> {
  const stored = await call.reader.retrieve(globalScope, emailTemplatesTable, requireId(call, "emailTemplateId"));
  if (stored === undefined) throw generalError("notFound");
  return parseRecord<EmailTemplate>(stored);
}
