import { generalError } from "../../errors/identity-error.js";
import { type Change, type Draft, type DraftContext, type Family, toBaseRecord } from "../../operations/family/family.js";
import type { FamilyExample } from "../../operations/family/family-row.js";
import type { WriteCall } from "../../operations/operation.js";
import { accessListFamily } from "../../records/access-lists/family.js";
import type { AccessList, AccessListRequest, ParsedAccessListRequest } from "../../records/access-lists/schema.js";
import { foldText } from "../../shared/text.js";

/** The family of access lists (docs/reference/api-keys.md#access-lists). */
export const accessLists: Family<AccessList, ParsedAccessListRequest> = {
  ...accessListFamily,
  rules: { toDraft, check, afterWrite: forgetKeys },
};

function toDraft(_call: WriteCall, request: ParsedAccessListRequest, context: DraftContext<AccessList>): Draft<AccessList> {
  const { ipAccessControlList: fields } = request;
  return { record: { ...fields, ...toBaseRecord(context) }, columns: { nameFolded: foldText(fields.name) } };
}

// A key that could change its own access list would not be restricted at all.
async function check({ principal }: WriteCall, { draft, original }: Change<AccessList, ParsedAccessListRequest>): Promise<void> {
  const bound = principal?.kind === "apiKey" ? principal.source?.accessListId : undefined;
  if (original !== undefined && draft.record.id === bound) throw generalError("unauthorized");
}

// Cached keys contain the rules of their lists.
async function forgetKeys(call: WriteCall): Promise<void> {
  call.tx.afterCommit(call.service.forgetKeys);
}

export const example: FamilyExample<AccessListRequest> = ({ number }) => ({
  ipAccessControlList: { name: `Access list ${number}`, entries: [{ action: "Allow", startIPAddress: "*" }] },
});
