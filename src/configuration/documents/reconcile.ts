import { FieldErrorList } from "../../errors/identity-error.js";
import type { InProcessApi } from "../../in-process.js";
import type { WriteCall } from "../../operations/operation.js";
import { configFamilies, withReferences } from "./config-families.js";
import type { ConfigRun } from "./config-run.js";
import { resolveFromEnvironment } from "./config-secrets.js";
import type { ConfigApplyOptions, ConfigChange, ConfigPrune } from "./document.js";
import { KnownRecords } from "./known-records.js";
import type { Members } from "./members.js";
import { pruneRecords } from "./prune.js";
import { readItems } from "./read-document.js";
import { settleFamily } from "./settle-family.js";

/**
 * Makes a service what a document says, in the transaction of the call. Answers what was changed.
 * @throws IdentityError 400 with all that is wrong.
 */
export async function reconcile(
  call: WriteCall,
  api: InProcessApi,
  document: Members,
  prune: ConfigPrune,
  options: ConfigApplyOptions,
): Promise<readonly ConfigChange[]> {
  const errors = new FieldErrorList();
  const items = await readItems(document, errors);
  errors.throwIfAny();
  const named = configFamilies.filter(({ name }) => document[name] !== undefined).map(({ name }) => name);
  const run: ConfigRun = {
    call,
    api,
    known: await new KnownRecords(call).load(withReferences(named)),
    resolve: options.resolveSecret ?? resolveFromEnvironment,
    auditReason: options.auditReason,
    errors,
    changes: [],
    settled: new Map(),
    spokenOf: new Map(),
  };
  for (const row of configFamilies)
    await settleFamily(
      run,
      row,
      items.filter((item) => item.row === row),
    );
  errors.throwIfAny();
  await pruneRecords(run, document, prune);
  errors.throwIfAny();
  return run.changes;
}
