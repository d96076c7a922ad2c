import { FieldErrorList } from "../../errors/identity-error.js";
import { formatPath } from "../../shared/text.js";
import { type ConfigFamily, configFamilies, withReferences } from "./config-families.js";
import { type ConfigRun, operationOf, reporting } from "./config-run.js";
import { resolveFromEnvironment } from "./config-secrets.js";
import type { ConfigApplyOptions, ConfigChange, ConfigFamilyName, ConfigPrune, Members } from "./document.js";
import { type KnownRecord, KnownRecords } from "./known-records.js";
import { readItems } from "./read-document.js";
import { settleFamily } from "./settle-family.js";

/**
 * Applies a document to a service, in the transaction of the call. Returns the changes.
 * @throws IdentityError 400 with all errors.
 */
export async function reconcile(
  { call, api }: Pick<ConfigRun, "api" | "call">,
  document: Members,
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
  await pruneRecords(run, document, options.prune ?? false);
  errors.throwIfAny();
  return run.changes;
}

/** Families whose removal also removes users or their registrations. */
const namedAlone: ReadonlySet<ConfigFamilyName> = new Set(["tenants", "applications"]);

/** Removes records that a document lacks: holders of references first, only in families and tenants of the document. */
async function pruneRecords(run: ConfigRun, document: Members, prune: ConfigPrune): Promise<void> {
  const covers = (name: ConfigFamilyName): boolean =>
    prune === true ? !namedAlone.has(name) : prune !== false && prune.includes(name);
  const tenantIds = new Set([...run.settled.values()].map((known) => known?.stored.tenantId));
  const settledIds = new Set([...run.settled.values()].map((known) => known?.id));
  for (const row of configFamilies.toReversed()) {
    if (!covers(row.name) || row.isSingle) continue;
    const isSpokenOf = row.nested === undefined ? () => document[row.name] !== undefined : insideOf(run, row);
    const isInScope = ({ stored: { tenantId } }: KnownRecord): boolean =>
      row.name === "tenants" || tenantId === null || tenantIds.has(tenantId);
    const strays = run.known
      .all(row.name)
      .filter((known) => !settledIds.has(known.id) && isInScope(known) && isSpokenOf(known))
      .filter(({ stored, record }) => row.isBuiltIn?.(stored, record, run.call.service) !== true);
    // Children were read after their parents, so they are removed first.
    for (const known of strays.toReversed()) await removeRecord(run, row, known);
  }
}

// The document covers nested records where their parents have the list.
function insideOf(run: ConfigRun, row: ConfigFamily): (known: KnownRecord) => boolean {
  const { as = "", in: parent } = row.nested ?? {};
  const parents = [...run.settled].filter(([item]) => item.row.name === parent && item.lists.includes(as));
  const ids = new Set(parents.map(([, known]) => known?.id));
  return ({ record }) => ids.has(String(record[row.address ?? ""]));
}

async function removeRecord(run: ConfigRun, row: ConfigFamily, known: KnownRecord): Promise<void> {
  const { family, address, name } = row;
  const key = run.known.textOf(name, known.id);
  const owner = address === undefined ? {} : { [address]: known.record[address] };
  const own = row.takesNoId ? {} : { [family.idParameter]: known.id };
  await reporting(run, { path: formatPath([name, key]), row }, async () => {
    await operationOf(run, row, "remove")({ ...own, ...owner, ...row.removal?.(known.record) });
    run.known.drop(row, known.id);
    run.changes.push({ action: "delete", family: name, key, etag: known.etag, diff: [] });
  });
}
