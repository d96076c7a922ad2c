import type { AccessRule } from "../../authenticate/access-list.js";
import type { Draft, DraftContext, Family } from "../../operations/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { foldText } from "../../values/fold-text.js";
import { parseIpAddress } from "../../values/ip-address.js";
import { type AccessList, accessListRequest, type ParsedAccessListRequest } from "./schema.js";
import { accessListSearch, accessListsTable } from "./table.js";

/** The family of access lists (facts.md 9.3). */
export const accessLists: Family<AccessList, ParsedAccessListRequest> = {
  name: "accessLists",
  wrapper: "ipAccessControlList",
  plural: "ipAccessControlLists",
  idParameter: "ipAccessControlListId",
  table: accessListsTable,
  request: accessListRequest,
  search: accessListSearch,
  uniquePaths: { name: "ipAccessControlList.name" },
  setPaths: new Set(),
  rules: { toDraft },
};

function toDraft(_call: WriteCall, request: ParsedAccessListRequest, context: DraftContext<AccessList>): Draft<AccessList> {
  const { id, now, current } = context;
  const { name, data, entries } = request.ipAccessControlList;
  const insertInstant = current?.record.insertInstant ?? now;
  return {
    record: { name, data, entries: normalise(entries), id, insertInstant, lastUpdateInstant: now },
    columns: { nameFolded: foldText(name) },
  };
}

// The first rule for all other addresses stays, and the rules stand in the order of their texts (facts.md 9.3).
function normalise(rules: readonly AccessRule[]): readonly AccessRule[] {
  const first = rules.findIndex(isDefault);
  return rules
    .filter((rule, index) => !isDefault(rule) || index === first)
    .map(toCanonical)
    .sort(byTexts);
}

function isDefault(rule: AccessRule): boolean {
  return rule.startIPAddress === "*";
}

function toCanonical({ action, startIPAddress, endIPAddress }: AccessRule): AccessRule {
  if (startIPAddress === "*") return { action, startIPAddress };
  return { action, startIPAddress: canonical(startIPAddress), endIPAddress: endIPAddress && canonical(endIPAddress) };
}

function canonical(address: string): string {
  return parseIpAddress(address)?.text ?? address;
}

function byTexts(a: AccessRule, b: AccessRule): number {
  return compare(a.startIPAddress, b.startIPAddress) || compare(a.endIPAddress ?? "", b.endIPAddress ?? "");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
