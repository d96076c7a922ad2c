import { valueAt, withMember } from "../../shared/objects.js";
import { foldText } from "../../shared/text.js";
import type { ConfigRun } from "./config-run.js";
import { isSecretReference, resolveSecrets, unchangedSecret } from "./config-secrets.js";
import { type Members, omit } from "./document.js";
import type { KnownRecord } from "./known-records.js";
import type { Item } from "./read-document.js";

/** Fills in immutable members, which a document may omit or repeat. Reports changed ones and returns undefined. */
export function withFixed(run: ConfigRun, { row, path }: Item, given: Members, { record }: KnownRecord): Members | undefined {
  let flat = given;
  let isFine = true;
  for (const part of row.fixed?.(record) ?? []) {
    const is = valueAt(record, part);
    const wanted = valueAt(given, part);
    if (wanted === undefined && is !== undefined) flat = withMember(flat, part.split("."), is);
    if (wanted === undefined || isSame(wanted, is)) continue;
    isFine = false;
    refuseChange(run, `${path}.${part}`);
  }
  return isFine ? flat : undefined;
}

function isSame(wanted: unknown, is: unknown): boolean {
  if (typeof wanted !== "string" || typeof is !== "string") return wanted === is;
  return foldText(wanted.trim()) === foldText(is.trim());
}

function refuseChange(run: ConfigRun, path: string): void {
  run.errors.add("invalid", path, `The [${path}] cannot be changed.`);
}

/** A record with its secrets. Compares members that only a new record takes with those of `existing`, and leaves them out. */
export async function withSecrets(
  run: ConfigRun,
  { row, path }: Item,
  flat: Members,
  existing?: { readonly known: KnownRecord; readonly current: Members },
): Promise<Members | undefined> {
  const { madeWith = {}, own = [], secrets = [] } = row;
  let isFine = true;
  const tell = (at: string, message: string): void => {
    isFine = false;
    run.errors.add("missing", `${path}.${at}`, message);
  };
  const filled = existing === undefined ? flat : fillOwn(flat, existing.current, own);
  const kept = existing === undefined ? [] : Object.keys(madeWith).filter((name) => isKept(flat[name]));
  const record = await resolveSecrets(omit(filled, kept), secrets, { current: existing?.current, resolve: run.resolve, tell });
  if (existing === undefined || !isFine) return isFine ? record : undefined;
  for (const [name, isMadeWith] of Object.entries(madeWith)) {
    const value = record[name];
    if (typeof value !== "string" || isMadeWith(run.call.service, existing.known.stored, value)) continue;
    isFine = false;
    refuseChange(run, `${path}.${name}`);
  }
  return isFine ? omit(record, Object.keys(madeWith)) : undefined;
}

function isKept(value: unknown): boolean {
  return isSecretReference(value) && value.$secret === unchangedSecret;
}

// Values that the service chose stay, unless the document has others.
function fillOwn(flat: Members, current: Members, own: readonly string[]): Members {
  const unsaid = own.filter((path) => valueAt(flat, path) === undefined && valueAt(current, path) !== undefined);
  return unsaid.reduce((filled, path) => withMember(filled, path.split("."), valueAt(current, path)), flat);
}
