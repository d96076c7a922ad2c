import { FieldErrorList } from "../../errors/identity-error.js";
import type { Filter } from "../../ports/storage.js";
import { parseOrderBy } from "../../search/parse-criteria.js";
import { type BaseRecord, type Family, parametersOf } from "../family.js";
import { defineOperation, type Operation, type OperationCall } from "../operation.js";
import { loadRecord, optionalId, presentOne, scopeFor } from "../record-steps.js";
import { explainTooLarge, presentPage } from "../response-size.js";

/** GET without an id: all records in the scope, in the family's default order. An id in the query is a GET by id (docs/reference/wire.md). */
export function listOperation<Wire extends BaseRecord, Request, Input, Output>(
  family: Family<Wire, Request>,
  toFilter: (call: OperationCall) => Filter | undefined | Promise<Filter> = () => undefined,
  parameters: readonly string[] = [],
): Operation<Input, Output> {
  const sort = parseOrderBy(family.search, undefined, new FieldErrorList());
  return defineOperation(`${family.name}.list`, [...parametersOf(family), ...parameters], async (call) => {
    const isNamed = optionalId(call, family.idParameter) !== undefined;
    if (isNamed) return presentOne(call, family, await loadRecord(call, family));
    const { answerSize: sizeLimit } = call.service;
    return explainTooLarge({ searchPath: family.searchPath }, async () => {
      const filter = await toFilter(call);
      const records = await call.reader.find(scopeFor(call, family.table), family.table, filter, { sort, sizeLimit });
      const texts = await presentPage(call, family, records);
      return { status: 200, json: `{"${family.plural}":[${texts.join(",")}]}` };
    });
  });
}
