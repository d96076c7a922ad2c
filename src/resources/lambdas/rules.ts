import { fieldError } from "../../errors/identity-error.js";
import { hasGrants } from "../../http/authenticate/principal.js";
import { lazySchema } from "../../http/schema/parse-with.js";
import { testLambda } from "../../lambdas/kit/test-lambda.js";
import { findBodyFault } from "../../lambdas/run/find-body-fault.js";
import { toGrants } from "../../lambdas/run/lambda-api.js";
import { runStored } from "../../lambdas/run/run-stored.js";
import { lambdaTypes, toLambdaType } from "../../lambdas/types/lambda-types.js";
import type { Change, Draft, DraftContext, Family } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { Filter } from "../../ports/storage.js";
import { parseCriteria } from "../../search/parse-criteria.js";
import { foldText } from "../../shared/text.js";
import { type CreateLambdaInput, lambdaFamily, lambdaSearch } from "./family.js";
import type { Lambda, ParsedLambdaRequest } from "./schema.js";

/** The family of lambdas (docs/reference/lambdas.md#types, docs/reference/lambdas.md#fields). */
export const lambdas: Family<Lambda, ParsedLambdaRequest> = {
  ...lambdaFamily,
  rules: { listFilter, prepare: checkBody, toDraft, check },
};

// Who changes the body of a lambda uses its permissions: what stays must be held too.
async function check(call: WriteCall, { draft }: Change<Lambda, ParsedLambdaRequest>): Promise<void> {
  const { permissions } = draft.record;
  if (permissions !== undefined && !hasGrants(call.principal, toGrants(permissions)))
    throw fieldError("invalid", "lambda.permissions", "A lambda cannot be granted what the caller does not hold.");
}

// Reading a script takes some time, so it is done outside of the transaction.
async function checkBody({ service }: OperationCall, request: ParsedLambdaRequest): Promise<ParsedLambdaRequest> {
  const { body, type } = request.lambda;
  if (Buffer.byteLength(body) > service.lambdas.limits.bodyBytes) throw fieldError("tooLong", "lambda.body");
  const fault = await findBodyFault(body, lambdaTypes[toLambdaType(type)]);
  if (fault !== undefined) throw fieldError("invalid", "lambda.body", `The [lambda.body] property is not valid. ${fault}`);
  return request;
}

function toDraft(_call: WriteCall, { lambda }: ParsedLambdaRequest, context: DraftContext<Lambda>): Draft<Lambda> {
  const { id, now, current } = context;
  const { name, body, engineType } = lambda;
  const insertInstant = current?.record.insertInstant ?? now;
  const type = current?.record.type ?? lambda.type;
  return {
    record: { ...lambda, type, id, insertInstant, lastUpdateInstant: now },
    columns: { nameFolded: foldText(name), bodyFolded: foldText(body), engineType, type: toLambdaType(type) },
  };
}

/** The list shows all lambdas, or with `?type=` those of one type (docs/reference/lambdas.md#fields). */
function listFilter(call: OperationCall): Filter | undefined {
  const search = call.service.availability.searchOf("lambda", lambdaSearch);
  return parseCriteria(search, { type: call.params.type }).filter;
}

const schemas = {
  stored: lazySchema(() => import("./schema.js"), "lambdaTestRequest"),
  unsaved: lazySchema(() => import("./schema.js"), "unsavedLambdaTestRequest"),
};

/** The operations of its own. */
export const operations: FamilyRulesModule["operations"] = {
  test: (call) => testLambda(call, schemas),
  run: runStored,
};

export const example: FamilyExample<CreateLambdaInput> = ({ number }) => ({
  lambda: { name: `Lambda ${number}`, type: "JWTPopulate", body: "function populate(jwt, user, registration) {}" },
});
