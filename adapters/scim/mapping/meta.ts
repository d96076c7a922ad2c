import type { ResourceType } from "../schema/schemas.js";
import type { Members } from "./valid-value.js";

/** When a record was created and last changed, in epoch milliseconds. */
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

// Imported records may have an instant that no date text has.
function toDate(instant: number): string {
  return new Date(Math.min(instant, lastInstant)).toISOString();
}
