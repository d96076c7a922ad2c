import type { Draft, DraftContext, Family } from "../../operations/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { foldText } from "../../values/fold-text.js";
import { lazily } from "../../values/lazily.js";
import type { AccessList, ParsedAccessListRequest } from "./schema.js";
import { accessListSearch, accessListsTable } from "./table.js";

const accessListRequest = lazily(async () => (await import("../schemas.js")).accessListRequest);

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
    record: { name, data, entries, id, insertInstant, lastUpdateInstant: now },
    columns: { nameFolded: foldText(name) },
  };
}
