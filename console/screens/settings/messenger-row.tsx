import { api, unwrap } from "../../app/api.js";
import { Badge } from "../../kit/values.js";
import { crudOf } from "../records/crud.js";
import { defineFamilyRow, type FamilyRow } from "../records/family-row.js";
import { type Named, namedColumns } from "../records/named-columns.js";
import { listed } from "../records/pages.js";
import { outgoing } from "./integrations.js";

interface MessengerRow extends Named {
  readonly type: string;
  readonly url?: string | undefined;
}

/** Messengers, which deliver text messages. */
export const messengerRow: FamilyRow<MessengerRow> = defineFamilyRow({
  family: "messengers",
  path: "/messengers",
  endpoint: "/api/messenger",
  messages: "settings",
  schema: "Messenger",
  member: "messenger",
  titleOf: ({ name }) => name,
  columns: (t) => [
    ...namedColumns(t),
    { id: "type", label: t("type"), cell: ({ type }) => <Badge>{type}</Badge> },
    { id: "url", label: t("url"), cell: ({ url }) => url ?? "" },
  ],
  list: async (page) => listed(unwrap(await api.messengers.list({}, { signal: page.signal })).messengers ?? [], page),
  siblings: outgoing,
  crud: crudOf(api.messengers, "messengerId"),
  fixed: ["type"],
  initial: { type: "Generic", connectTimeout: 1_000, readTimeout: 2_000 },
  hasUsers: true,
});
