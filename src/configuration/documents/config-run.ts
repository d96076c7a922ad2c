import { type FieldErrorList, IdentityError } from "../../errors/identity-error.js";
import type { WriteCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { runWithRollback } from "../../shared/async.js";
import type { ConfigFamily } from "./config-families.js";
import type { ConfigChange, Members, ResolveSecret } from "./document.js";
import type { KnownRecord, KnownRecords } from "./known-records.js";
import type { Item } from "./read-document.js";

/** The state of applying a document to a service, in one transaction. */
export interface ConfigRun {
  readonly call: WriteCall;
  readonly api: object;
  readonly known: KnownRecords;
  readonly resolve: ResolveSecret;
  readonly auditReason: string | undefined;
  readonly errors: FieldErrorList;
  readonly changes: ConfigChange[];
  /** The record of each finished item; undefined for an item with an error. */
  readonly settled: Map<Item, KnownRecord | undefined>;
  /** The path in the document of each record, by its id. */
  readonly spokenOf: Map<string, string>;
}

type Operations = Readonly<Record<string, (input: Members, options: Members) => Promise<unknown>>>;

/** Returns a function that calls an operation of a family as the host. */
export function operationOf(run: ConfigRun, row: ConfigFamily, verb: string): (input: Members) => Promise<unknown> {
  const operations: Operations = Reflect.get(run.api, row.name);
  const operation = operations[verb];
  if (operation === undefined) throw new Error(`There is no operation ${row.name}.${verb}.`);
  return (input) => operation(input, { auditReason: run.auditReason });
}

/** Runs work in a savepoint; rolls back when it returns false. */
export function tryOut(run: ConfigRun, work: () => Promise<boolean>): Promise<void> {
  return runWithRollback<void, void>((rollBack) =>
    run.call.tx.savepoint(async () => {
      if (!(await work())) rollBack();
    }),
  );
}

/** Runs work on an item; reports its refusals by path in the document. Returns false after one. */
export async function reporting(
  run: ConfigRun,
  { path, row }: Pick<Item, "path" | "row">,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    // An error of the storage ends the whole run.
    if (!(error instanceof IdentityError) || error.status >= 500) throw error;
    for (const [field, entries] of Object.entries(error.fieldErrors))
      for (const { code, message } of entries)
        run.errors.add(kindOf(code), toDocumentPath(path, row.family.wrapper, field), message);
    for (const { message } of error.generalErrors) run.errors.add("invalid", path, message);
    return false;
  }
}

function kindOf(code: string): Parameters<FieldErrorList["add"]>[0] {
  return code.slice(1, code.indexOf("]")) as Parameters<FieldErrorList["add"]>[0];
}

// Paths of requests begin at the wrapper, paths of documents inside of it.
function toDocumentPath(path: string, wrapper: string, field: string): string {
  if (field.startsWith(`${wrapper}.`)) return path + field.slice(wrapper.length);
  return field.endsWith("Id") && !field.includes(".") ? path : `${path}.${field}`;
}

/** The record of a family with this id, as read in the transaction. */
export async function readStored(run: ConfigRun, row: ConfigFamily, id: string): Promise<StoredRecord> {
  const stored = await run.call.tx.retrieve(globalScope, row.family.table, id);
  if (stored === undefined) throw new Error(`A record of ${row.name} went in its own transaction.`);
  return stored;
}
