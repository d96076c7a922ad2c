import { type BaseRecord, type Family, parametersOf } from "../family.js";
import { defineOperation, type Operation } from "../operation.js";
import { loadRecord, presentOne } from "../record-steps.js";

/** GET by id. */
export function retrieveOperation<Wire extends BaseRecord, Request, Input, Output>(
  family: Family<Wire, Request>,
): Operation<Input, Output> {
  return defineOperation(`${family.name}.retrieve`, parametersOf(family), async (call) =>
    presentOne(call, family, await loadRecord(call, family)),
  );
}
