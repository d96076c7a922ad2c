import { FieldErrorList } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { addMembers, CanonicalText } from "../../json/canonical-json.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  parseRecord,
  toBaseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { assertPrecondition, loadRecord, requireId } from "../../operations/family/record-steps.js";
import { mapWithinLimit } from "../../operations/family/response-size.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { findTenantOfUsers } from "../../operations/references/references.js";
import { changeRecord } from "../../operations/verbs/update.js";
import { type Filter, globalScope, type StoredRecord } from "../../ports/storage.js";
import { consentsTable } from "../../records/consents/family.js";
import type { Consent } from "../../records/consents/schema.js";
import { userConsentFamily } from "../../records/user-consents/family.js";
import type { ParsedUserConsentRequest, UserConsent, UserConsentRequest } from "../../records/user-consents/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";

/** The family of consents of users (docs/reference/forms.md#consents). */
export const userConsents: Family<UserConsent, ParsedUserConsentRequest> = {
  ...userConsentFamily,
  rules: { listFilter, tenantOf, toDraft, check, present },
};

// The consent and the users of a new record must exist. The record belongs to the tenant of the user, and so does the giver.
async function tenantOf(call: WriteCall, { userConsent }: ParsedUserConsentRequest): Promise<string> {
  const { consentId = "", giverUserId = "", userId = "" } = userConsent;
  const errors = new FieldErrorList();
  for (const [name, id] of Object.entries({ consentId, giverUserId, userId }))
    if (id === "") errors.add("missing", `userConsent.${name}`);
  errors.throwIfAny();
  const tenantId = await findTenantOfUsers(call, { wrapper: "userConsent", ids: { userId, giverUserId } }, errors);
  if ((await findConsents(call, [consentId])).length === 0) errors.add("invalid", "userConsent.consentId");
  errors.throwIfAny();
  return tenantId;
}

async function findConsents(call: OperationCall, ids: readonly string[]): Promise<readonly StoredRecord[]> {
  return call.reader.find(globalScope, consentsTable, { op: "in", column: "id", values: [...new Set(ids)] });
}

// A change may set data, status and values; the consent and its users stay.
function toDraft(
  _call: WriteCall,
  { userConsent }: ParsedUserConsentRequest,
  context: DraftContext<UserConsent>,
): Draft<UserConsent> {
  const { current } = context;
  const { consentId = "", giverUserId = "", userId = "" } = current?.record ?? userConsent;
  const { status = current?.record.status ?? "Active" } = userConsent;
  return {
    record: { ...userConsent, consentId, giverUserId, status, userId, ...toBaseRecord(context) },
    columns: { consentId, userId },
  };
}

// Given values that the consent has lost since may stay, so that revoking remains possible.
async function check(call: WriteCall, { draft, original }: Change<UserConsent, ParsedUserConsentRequest>): Promise<void> {
  const { consentId, values } = draft.record;
  const [found] = await findConsents(call, [consentId]);
  const consent = found && parseRecord<Consent>(found);
  const kept = original?.values ?? [];
  const known = new Set([...(consent?.values ?? []), ...kept]);
  const errors = new FieldErrorList();
  if (!values.every((value) => known.has(value))) errors.add("invalid", "userConsent.values");
  const isOneAllowed = consent?.multipleValuesAllowed !== true;
  if (isOneAllowed && values.length > Math.max(1, kept.length)) errors.add("tooMany", "userConsent.values");
  errors.throwIfAny();
}

async function present(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  const consentOf = (record: StoredRecord): string => parseRecord<UserConsent>(record).consentId;
  const found = await findConsents(call, records.map(consentOf));
  const consents = new Map(found.map(({ id, json }) => [id, new CanonicalText(json)]));
  return mapWithinLimit(call.service, records, (record) => addMembers(record.json, { consent: consents.get(consentOf(record)) }));
}

function listFilter(call: OperationCall): Filter {
  return equalsFilter("userId", requireId(call, "userId"));
}

/** DELETE: revokes the consent of a user. The record stays, as evidence of the consent and its period. */
async function revokeUserConsent(call: OperationCall): Promise<OperationResult> {
  return call.write(async (write) => {
    const stored = await loadRecord(write, userConsents);
    await assertPrecondition(write, userConsents, stored);
    const { data, status, values } = parseRecord<UserConsent>(stored);
    const revoked: ParsedUserConsentRequest = { userConsent: { data, status: "Revoked", values } };
    if (status !== "Revoked") await changeRecord(write, userConsents, stored, revoked);
    return emptyResult;
  });
}

/** Custom operations. */
export const operations: FamilyRulesModule["operations"] = { remove: revokeUserConsent };

export const example: FamilyExample<UserConsentRequest> = async ({ idAt }) => {
  const userId = await idAt("userConsent.userId", "users");
  return { userConsent: { consentId: await idAt("userConsent.consentId", "consents"), giverUserId: userId, userId } };
};
