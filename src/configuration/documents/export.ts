import type { WriteCall } from "../../operations/operation.js";
import { type ConfigFamily, nestedIn, rowOf, withReferences } from "./config-families.js";
import { hideSecrets } from "./config-secrets.js";
import { describeStored } from "./differences.js";
import {
  type ConfigDocument,
  type ConfigExportOptions,
  configFamilyNames,
  configFormatVersion,
  foldKey,
  type Members,
  omit,
  pick,
  toKeyText,
} from "./document.js";
import { type KnownRecord, KnownRecords } from "./known-records.js";

/** Exports the configuration of a service. */
export async function exportDocument(call: WriteCall, { families, ids = false }: ConfigExportOptions): Promise<ConfigDocument> {
  const rows = (families ?? configFamilyNames).map(rowOf).filter(({ nested }) => nested === undefined);
  const known = await new KnownRecords(call).load(withReferences(rows.map(({ name }) => name)));
  const exporter = new Exporter(call, known, ids);
  const lists: Record<string, unknown> = {};
  for (const row of rows) {
    const records = await exporter.describeAll(row, known.all(row.name));
    if (row.isSingle === undefined) lists[row.name] = records;
    else if (records[0] !== undefined) lists[row.name] = records[0];
  }
  return { formatVersion: configFormatVersion, ...lists };
}

class Exporter {
  readonly #call: WriteCall;
  readonly #known: KnownRecords;
  readonly #withIds: boolean;

  constructor(call: WriteCall, known: KnownRecords, withIds: boolean) {
    this.#call = call;
    this.#known = known;
    this.#withIds = withIds;
  }

  /** The exported records of a family, in the order of their keys. */
  async describeAll(row: ConfigFamily, all: readonly KnownRecord[]): Promise<readonly Members[]> {
    const found = all.filter((known) => this.#isExported(row, known)).map((known) => ({ known, key: sortKeyOf(known) }));
    const records: Members[] = [];
    for (const { known } of found.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))))
      records.push(await this.#describe(row, known));
    return records;
  }

  // Built-in records exist in every other service, unless they were changed.
  #isExported(row: ConfigFamily, { stored, record }: KnownRecord): boolean {
    if (row.isOwn?.(stored, record)) return false;
    const isUntouched = row.isBuiltIn?.(stored, record, this.#call.service) === true && stored.version === 1;
    return row.name === "tenants" || !isUntouched;
  }

  async #describe(row: ConfigFamily, known: KnownRecord): Promise<Members> {
    const described = await describeStored({ call: this.#call, known: this.#known }, row, known.stored);
    const record = hideSecrets(row.nested === undefined ? described : omit(described, [row.address ?? ""]), row.secrets ?? []);
    const nested: Record<string, unknown> = {};
    for (const inner of nestedIn(row)) {
      const own = this.#known.all(inner.name).filter(({ record: inside }) => inside[inner.address ?? ""] === known.id);
      nested[inner.nested?.as ?? ""] = await this.describeAll(inner, own);
    }
    // The identifying members come first, for readers.
    const named = pick(record, row.key);
    return { ...(this.#saysId(row, known) && { id: known.id }), ...named, ...omit(record, row.key), ...nested };
  }

  #saysId(row: ConfigFamily, { names }: KnownRecord): boolean {
    if (row.isSingle || row.takesNoId) return false;
    return this.#withIds || names === undefined || this.#known.findAll(row.name, toKeyText(names)).length > 1;
  }
}

function sortKeyOf({ names, id }: KnownRecord): string {
  return names === undefined ? id : foldKey(toKeyText(names));
}
