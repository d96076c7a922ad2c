import { fieldError, generalError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { Filter } from "../../ports/storage.js";
import { toNextResults } from "../../search/next-results.js";
import { bothFilters, parseCriteria, type RawCriteria } from "../../search/parse-criteria.js";
import type { BaseRecord, Family, PresentedFamily } from "../family.js";
import { defineOperation, type Operation, type OperationCall } from "../operation.js";
import { scopeFor } from "../record-steps.js";
import { explainTooLarge, presentPage } from "../response-size.js";

/** The part of a family that searching needs. */
export type SearchableFamily<Wire extends BaseRecord, Request> = PresentedFamily<Wire, Request> &
  Pick<Family<Wire, Request>, "plural" | "table" | "search">;

/**
 * GET with criteria in the query or POST with `{"search": {…}}`: one page, the total and the token of the next page.
 * `toFilter` adds tests that one criterion alone cannot express.
 */
export function searchOperation<Wire extends BaseRecord, Request, Input, Output>(
  family: SearchableFamily<Wire, Request>,
  toFilter: (raw: RawCriteria, call: OperationCall) => Filter | undefined = () => undefined,
): Operation<Input, Output> {
  return defineOperation(`${family.name}.search`, [], async (call) => {
    const raw = rawCriteria(call);
    const search = call.service.availability.searchOf(family.wrapper, family.search);
    const parsed = parseCriteria(search, withScope(raw, call));
    const filter = bothFilters(parsed.filter, toFilter(raw, call));
    const criteria = filter === undefined ? parsed : { ...parsed, filter };
    const { answerSize: sizeLimit } = call.service;
    return explainTooLarge({ parameter: "numberOfResults" }, async () => {
      const page = await call.reader.search(scopeFor(call, family.table), family.table, { ...criteria, sizeLimit });
      const texts = await presentPage(call, family, page.records);
      // The token is bound to what the caller asked for, so it is made from the criteria as they were parsed.
      const nextResults = toNextResults(parsed, page);
      const next = nextResults === undefined ? "" : `"nextResults":${JSON.stringify(nextResults)},`;
      return { status: 200, json: orderMembers(family.plural, texts, next, page.total) };
    });
  });
}

// Members in alphabetical order, as everywhere (docs/reference/wire.md); records are spliced in as the texts they are.
function orderMembers(plural: string, texts: readonly string[], next: string, total: number): string {
  const records = `"${plural}":[${texts.join(",")}],`;
  const members = plural < "nextResults" ? records + next : next + records;
  return plural < "total" ? `{${members}"total":${toCanonicalJson(total)}}` : `{${next}"total":${total},${records.slice(0, -1)}}`;
}

function rawCriteria(call: OperationCall): RawCriteria {
  const body = call.body as { readonly search?: unknown } | null | undefined;
  if (body === undefined || body === null) return call.params;
  if (typeof body !== "object" || Array.isArray(body)) throw generalError("invalidJSON", "The body must be a JSON object.");
  const { search } = body;
  if (search === undefined || search === null) return call.params;
  if (typeof search !== "object" || Array.isArray(search)) throw fieldError("invalidJSON", "search");
  return search as RawCriteria;
}

// The tenant that a call is bound to overrules the one in the criteria (docs/reference/groups.md).
function withScope(raw: RawCriteria, call: OperationCall): RawCriteria {
  return call.scope.kind === "tenant" ? { ...raw, tenantId: undefined } : raw;
}
