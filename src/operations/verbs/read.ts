import { FieldErrorList, fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { Criteria, SearchPage } from "../../ports/storage.js";
import { toNextResults } from "../../search/next-results.js";
import { parseCriteria, parseGivenCriteria, parseOrderBy, type RawCriteria } from "../../search/parse-criteria.js";
import type { BaseRecord, Family, SearchableFamily } from "../family/family.js";
import { loadRecord, optionalId, presentOne, scopeFor } from "../family/record-steps.js";
import { explainTooLarge, presentPage } from "../family/response-size.js";
import { searchWithMembers } from "../family/searchable-members.js";
import type { OperationCall } from "../operation.js";

/** GET by id. */
export async function runRetrieve<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
): Promise<OperationResult> {
  return presentOne(call, family, await loadRecord(call, family));
}

/**
 * GET without an id: all records in the scope, in the family's default order. An id in the query makes it a GET by id
 * (docs/reference/wire.md).
 */
export async function runList<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
): Promise<OperationResult> {
  if (optionalId(call, family.idParameter) !== undefined) return runRetrieve(call, family);
  const { answerSize: sizeLimit } = call.service;
  return explainTooLarge({ searchPath: family.searchPath }, async () => {
    const filter = await family.rules.listFilter?.(call);
    const sort = parseOrderBy(family.search, undefined, new FieldErrorList());
    const records = await call.reader.find(scopeFor(call, family.table), family.table, filter, {
      sort,
      sizeLimit,
      mayUseReplica: true,
    });
    const texts = await presentPage(call, family, records);
    return { status: 200, json: `{"${family.plural}":[${texts.join(",")}]}` };
  });
}

/** GET with criteria in the query or POST with `{"search": {…}}`: one page, the total and the token of the next page. */
export async function runSearch<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: SearchableFamily<Wire, Request>,
): Promise<OperationResult> {
  const { criteria, page, texts } = await searchPage(call, family);
  const nextResults = toNextResults(criteria, page);
  const next = nextResults === undefined ? "" : `"nextResults":${JSON.stringify(nextResults)},`;
  return { status: 200, json: orderMembers(family.plural, texts, next, page.total) };
}

/**
 * The page of a search, and the texts of its records. @throws IdentityError 400 for wrong criteria and for a page that is too
 * large.
 */
export async function searchPage<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: SearchableFamily<Wire, Request>,
): Promise<{ readonly criteria: Criteria; readonly page: SearchPage; readonly texts: readonly string[] }> {
  const raw = rawCriteria(call);
  const search = await searchWithMembers(call, family, raw);
  const parse = raw === call.params ? parseCriteria : parseGivenCriteria;
  const criteria = parse(search, withScope(raw, call));
  const { answerSize: sizeLimit } = call.service;
  return explainTooLarge({ parameter: "numberOfResults" }, async () => {
    const wanted = { ...criteria, sizeLimit, mayUseReplica: true };
    const page = await call.reader.search(scopeFor(call, family.table), family.table, wanted);
    return { criteria, page, texts: await presentPage(call, family, page.records) };
  });
}

// Members in alphabetical order, as everywhere (docs/reference/wire.md); record texts are inserted unchanged.
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

/** Criteria without their tenant where the call is bound to one, which takes precedence (docs/reference/groups.md). */
export function withScope(raw: RawCriteria, call: OperationCall): RawCriteria {
  return call.scope.kind === "tenant" ? { ...raw, tenantId: undefined } : raw;
}
