import { hash } from "node:crypto";
import type { FieldErrorList } from "../errors/identity-error.js";
import type { ColumnValue, Criteria, SearchPage } from "../ports/storage.js";
import { isSafeText } from "../shared/find-unsafe-value.js";
import { parseUuid } from "../shared/text.js";

/**
 * The opaque keyset token `nextResults`: the end of the last page, bound to its filter and order. It grants nothing: tenant and
 * filter come from the request that presents it.
 */

// Large enough for the longest sort texts of a record.
const maxTokenLength = 65_536;

type Position = NonNullable<Criteria["after"]>;

/** The token that continues after this page; undefined after the last page. */
export function toNextResults(criteria: Criteria, page: SearchPage): string | undefined {
  const isFull = page.records.length === criteria.limit;
  const isKnownEnd = criteria.after === undefined && criteria.offset + page.records.length >= page.total;
  if (page.last === undefined || !isFull || isKnownEnd) return undefined;
  const token = [digestOf(criteria), page.last.id, ...page.last.values];
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

/** The position in a token; undefined without one. Adds `[invalid]nextResults` for a foreign or broken token. */
export function parseNextResults(raw: unknown, criteria: Criteria, errors: FieldErrorList): Position | undefined {
  if (raw === undefined || raw === null || raw === "") return undefined;
  const [digest, id, ...values] = decode(raw) ?? [];
  const isOurs = digest === digestOf(criteria) && typeof id === "string" && parseUuid(id) === id;
  if (isOurs && values.length === criteria.sort.length && values.every(isColumnValue)) return { id, values };
  errors.add("invalid", "nextResults");
  return undefined;
}

function decode(raw: unknown): unknown[] | undefined {
  if (typeof raw !== "string" || raw.length > maxTokenLength) return undefined;
  try {
    const token: unknown = JSON.parse(Buffer.from(raw, "base64url").toString("utf8"));
    return Array.isArray(token) ? token : undefined;
  } catch {
    return undefined;
  }
}

function isColumnValue(value: unknown): value is ColumnValue {
  if (typeof value === "string") return isSafeText(value);
  return value === null || typeof value === "boolean" || Number.isSafeInteger(value);
}

function digestOf(criteria: Criteria): string {
  return hash("sha256", JSON.stringify([criteria.filter, criteria.sort]), "base64url").slice(0, 16);
}
