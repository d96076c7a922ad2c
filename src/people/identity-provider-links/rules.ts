import { FieldErrorList, fieldError, generalError, IdentityError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { NewEvent } from "../../operations/events/recorded-event.js";
import { type Family, parseRecord } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, parseRequest, presentOne, requireId } from "../../operations/family/record-steps.js";
import { presentPage } from "../../operations/family/response-size.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { findTenant, findTenantOfUsers } from "../../operations/references/references.js";
import { createRecord } from "../../operations/verbs/create.js";
import { removeRecord } from "../../operations/verbs/remove.js";
import { type Filter, globalScope, type StoredRecord, tenantScope } from "../../ports/storage.js";
import {
  identityProviderLinkFamily,
  identityProviderLinksTable,
  pendingLinksTable,
} from "../../records/identity-provider-links/family.js";
import type {
  IdentityProviderLink,
  IdentityProviderLinkRequest,
  ParsedIdentityProviderLinkRequest,
  PendingIdPLink,
} from "../../records/identity-provider-links/schema.js";
import { identityProvidersTable } from "../../records/identity-providers/family.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { digestSecret } from "../../security/seal.js";
import { findPresentedUser } from "../relations/present-user.js";
import { createPendingLink } from "./pending-links.js";
import { assertLinkLimit, assertProviderOfTenant, findProvidersOf, presentLinks } from "./provider-of-link.js";

/** The family of links to accounts at identity providers (docs/reference/users.md#links). */
export const identityProviderLinks: Family<IdentityProviderLink, ParsedIdentityProviderLinkRequest> = {
  ...identityProviderLinkFamily,
  rules: {
    tenantOf: async (call, { identityProviderLink: { identityProviderId, identityProviderUserId, userId } }) => {
      const errors = new FieldErrorList();
      if (identityProviderId === undefined) errors.add("missing", "identityProviderLink.identityProviderId");
      if (identityProviderUserId === undefined) errors.add("blank", "identityProviderLink.identityProviderUserId");
      const tenantId = await findTenantOfUsers(call, { wrapper: "identityProviderLink", ids: { userId } }, errors);
      errors.throwIfAny();
      await assertProviderOfTenant(call, identityProviderId ?? "", tenantId);
      return tenantId;
    },
    toDraft: (_call, { identityProviderLink }, { id, now, tenantId = "" }) => {
      const { identityProviderId = "", identityProviderUserId = "", userId } = identityProviderLink;
      const columns = { identityProviderId, identityProviderUserId, userId };
      return {
        record: { ...identityProviderLink, ...columns, id, insertInstant: now, lastUpdateInstant: now, tenantId },
        columns,
      };
    },
    check: (call, { draft }) => assertLinkLimit(call, draft.record),
    present: presentLinks,
    afterWrite: async (call, { draft }) => publishEvent(call, await toEvent(call, "link", draft.record)).then(() => undefined),
  },
};

async function toEvent(call: WriteCall, what: "link" | "unlink", link: IdentityProviderLink): Promise<NewEvent> {
  const providerOf = await findProvidersOf(call, [link]);
  const { token: _secret, ...fields } = link;
  const identityProviderLink = { ...fields, ...providerOf(link) };
  const { tenantId, userId } = link;
  const user = (await findPresentedUser(call, userId)) ?? { id: userId };
  return { type: `user.identity-provider.${what}`, tenantId, linkedObjectId: userId, fields: { identityProviderLink, user } };
}

const pendingRequest = lazySchema("providers", "pendingLinkRequest");
/**
 * POST: links a user to an account, or to that of a pending link. @throws IdentityError 409 for an account that is already
 * linked.
 */
async function create(call: OperationCall): Promise<OperationResult> {
  // Before 1.43.0 the fields had no wrapper.
  const isFlat = call.service.availability.behaves("flatLinks");
  const body = isFlat ? { ...Object(call.body), identityProviderLink: call.body } : call.body;
  const request = await parseRequest(call, identityProviderLinks, body);
  const { newId } = call.service.runtime;
  try {
    return await call.write(async (write) => {
      const whole = await takePending(write, request);
      const { record } = await createRecord(write, identityProviderLinks, whole, newId());
      return presentOne(write, identityProviderLinks, record);
    });
  } catch (error) {
    const path = "identityProviderLink.identityProviderUserId";
    const isTaken = error instanceof IdentityError && error.code === `[duplicate]${path}`;
    throw isTaken ? new IdentityError(409, error, { cause: error }) : error;
  }
}

/** A request with the account of its pending link, which it consumes. */
async function takePending(
  call: WriteCall,
  { identityProviderLink, pendingIdPLinkId }: ParsedIdentityProviderLinkRequest,
): Promise<ParsedIdentityProviderLinkRequest> {
  if (pendingIdPLinkId === undefined) return { identityProviderLink };
  const pending = await findPending(call, pendingIdPLinkId);
  if (pending === undefined) throw fieldError("invalid", "pendingIdPLinkId");
  await call.tx.remove(tenantScope(pending.tenantId ?? ""), pendingLinksTable, equalsFilter("id", pending.id));
  const { displayName, identityProviderId, identityProviderUserId } = parseRecord<PendingIdPLink>(pending);
  // The user must belong to the same tenant.
  const within = { ...call, scope: tenantScope(pending.tenantId ?? "") };
  const errors = new FieldErrorList();
  await findTenantOfUsers(within, { wrapper: "identityProviderLink", ids: { userId: identityProviderLink.userId } }, errors);
  errors.throwIfAny();
  return { identityProviderLink: { ...identityProviderLink, displayName, identityProviderId, identityProviderUserId } };
}

async function findPending(call: OperationCall, pendingLinkId: string): Promise<StoredRecord | undefined> {
  const isAlive = { op: "compare", column: "expirationInstant", comparison: ">", value: call.service.runtime.clock() } as const;
  const filters = [equalsFilter("digest", digestSecret(pendingLinkId)), isAlive];
  const [pending] = await call.reader.find(call.scope, pendingLinksTable, { op: "and", filters }, { limit: 1 });
  const { identityProviderId } = pending ? parseRecord<PendingIdPLink>(pending) : {};
  const provider = identityProviderId && (await call.reader.retrieve(globalScope, identityProvidersTable, identityProviderId));
  return provider ? pending : undefined;
}

/** In process: stores an account until its user is known; returns the id, which works once. */
async function createPending(call: OperationCall): Promise<OperationResult> {
  const { pendingIdPLink } = await parseWith(pendingRequest, call.body);
  const tenant = parseRecord<Tenant>(await findTenant(call));
  return { status: 200, json: toCanonicalJson({ pendingIdPLinkId: await createPendingLink(call, tenant, pendingIdPLink) }) };
}

/** GET of a pending link. @throws IdentityError 404 for an id that is unknown, used or expired. */
async function retrievePending(call: OperationCall): Promise<OperationResult> {
  const pending = await findPending(call, call.params.pendingLinkId ?? "");
  if (pending === undefined) throw generalError("notFound");
  const pendingIdPLink = parseRecord<PendingIdPLink>(pending);
  const userId = optionalId(call, "userId");
  const { identityProviderId } = pendingIdPLink;
  const own = userId && filterOf({ identityProviderId, userId });
  const linkCount = own ? (await call.reader.find(call.scope, identityProviderLinksTable, own)).length : undefined;
  return { status: 200, json: toCanonicalJson({ linkCount, pendingIdPLink }) };
}

function filterOf(columns: Readonly<Record<string, string | undefined>>): Filter {
  const named = Object.entries(columns).flatMap(([column, value]) => (value === undefined ? [] : [equalsFilter(column, value)]));
  return { op: "and", filters: named };
}

/** GET: the link of an account, or the links of a user. @throws IdentityError 404 for an account that is not linked. */
async function find(call: OperationCall): Promise<OperationResult> {
  const { identityProviderUserId } = call.params;
  if (identityProviderUserId !== undefined) return presentOne(call, identityProviderLinks, await loadLink(call));
  const filter = filterOf({ userId: requireId(call, "userId"), identityProviderId: optionalId(call, "identityProviderId") });
  const sort = [{ column: "insertInstant", direction: "asc" }] as const;
  const { answerSize: sizeLimit } = call.service;
  const records = await call.reader.find(call.scope, identityProviderLinksTable, filter, { sort, sizeLimit });
  const texts = await presentPage(call, identityProviderLinks, records);
  return { status: 200, json: `{"identityProviderLinks":[${texts.join(",")}]}` };
}

async function loadLink(call: OperationCall): Promise<StoredRecord> {
  const { identityProviderUserId = "" } = call.params;
  const account = { identityProviderId: requireId(call, "identityProviderId"), identityProviderUserId };
  const filter = filterOf({ ...account, userId: optionalId(call, "userId") });
  const [stored] = await call.reader.find(call.scope, identityProviderLinksTable, filter, { limit: 1 });
  if (stored === undefined) throw generalError("notFound");
  return stored;
}

/** DELETE: removes the link of a user to an account. @throws IdentityError 404 when there is none. */
async function remove(call: OperationCall): Promise<OperationResult> {
  requireId(call, "userId");
  if (!call.params.identityProviderUserId) throw fieldError("missing", "identityProviderUserId");
  return call.write(async (write) => {
    const stored = await loadLink(write);
    const shown = await presentOne(write, identityProviderLinks, stored);
    await removeRecord(write, identityProviderLinks, stored, () => undefined);
    return { status: shown.status, json: shown.json };
  });
}

/** Custom operations. */
export const operations: FamilyRulesModule["operations"] = { create, createPending, find, remove, retrievePending };

/** The events of removed links. */
export const describeRemoved: FamilyRulesModule["describeRemoved"] = {
  identityProviderLinks: (call, records) =>
    Promise.all(records.map((stored) => toEvent(call, "unlink", parseRecord<IdentityProviderLink>(stored)))),
};

export const example: FamilyExample<IdentityProviderLinkRequest> = async ({ idAt, number }) => {
  const identityProviderId = await idAt("identityProviderLink.identityProviderId", "identityProviders");
  const account = { identityProviderId, identityProviderUserId: `account-${number}` };
  return { identityProviderLink: { ...account, userId: await idAt("identityProviderLink.userId", "users") } };
};
