import type { ResourceType } from "../schema/schemas.js";
import type { Members } from "./valid-value.js";

/** The creation and last change of a record, in epoch milliseconds. */
interface Instants {
  readonly insertInstant: number;
  readonly lastUpdateInstant: number;
}

/** Returns `meta` of a record, without `version`. */
export function showMeta(record: Instants, { name }: ResourceType, location: string): Members {
  const { insertInstant, lastUpdateInstant } = record;
  return { resourceType: name, created: toDate(insertInstant), lastModified: toDate(lastUpdateInstant), location };
}

const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

// Imported records may have an instant beyond the range of date texts.
function toDate(instant: number): string {
  return new Date(Math.min(instant, lastInstant)).toISOString();
}
