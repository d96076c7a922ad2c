import type { Column } from "../../kit/data-list/index.js";
import type { Translate } from "../../kit/i18n.js";
import { DateText } from "../../kit/values.js";
import type { AnyRecord } from "./family-row.js";

/** A record with a name. */
export interface Named extends AnyRecord {
  readonly name: string;
  readonly lastUpdateInstant: number;
}

/** The columns that most lists of records share. */
export function namedColumns(t: Translate): readonly Column<Named>[] {
  return [
    { id: "name", label: t("name"), sort: "name", cell: ({ name }) => name },
    { id: "lastUpdateInstant", label: t("changed"), cell: ({ lastUpdateInstant }) => <DateText value={lastUpdateInstant} /> },
  ];
}
