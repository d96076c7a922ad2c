import type { WriteCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { valueAt } from "../../shared/objects.js";
import { etagOfVersion } from "../../shared/text.js";
import type { ConfigFamily } from "./config-families.js";
import { type ConfigFamilyName, foldKey, type Members, mapAt, toKeyText } from "./document.js";
import { openStored } from "./record-form.js";

/** A record that documents can refer to. */
export interface KnownRecord {
  readonly id: string;
  readonly stored: StoredRecord;
  readonly etag: string;
  readonly record: Members;
  /** The names that identify it; undefined without any. */
  readonly names: readonly string[] | undefined;
}

/** The records of some families, by their ids and by their keys. */
export class KnownRecords {
  readonly #call: WriteCall;
  readonly #byId = new Map<ConfigFamilyName, Map<string, KnownRecord>>();
  readonly #byKey = new Map<ConfigFamilyName, Map<string, KnownRecord[]>>();

  constructor(call: WriteCall) {
    this.#call = call;
  }

  /** Reads the records of families, after those that they refer to, except those being deleted. */
  async load(rows: readonly ConfigFamily[]): Promise<this> {
    for (const row of rows) {
      const found = await this.#call.tx.find(globalScope, row.family.table, undefined);
      this.#byId.set(row.name, new Map());
      this.#byKey.set(row.name, new Map());
      const opened = found.map((stored) => ({ stored, record: openStored(this.#call, row, stored) }));
      for (const { stored, record } of parentsFirst(opened)) if (this.#isThere(row, stored, record)) this.put(row, stored);
    }
    return this;
  }

  #isThere(row: ConfigFamily, { tenantId }: StoredRecord, record: Members): boolean {
    if (row.isConfigured?.(record) === false) return false;
    if (row.name === "tenants") return record.state !== "PendingDelete";
    const tenants = this.#byId.get("tenants");
    return tenantId === null || tenants === undefined || tenants.has(tenantId);
  }

  put(row: ConfigFamily, stored: StoredRecord): KnownRecord {
    this.drop(row, stored.id);
    const record = openStored(this.#call, row, stored);
    const etag = etagOfVersion(stored.version);
    const known = { id: stored.id, stored, etag, record, names: this.namesOf(row, record) };
    this.#byId.get(row.name)?.set(known.id, known);
    if (known.names !== undefined) {
      const key = foldKey(toKeyText(known.names));
      this.#byKey.get(row.name)?.set(key, [...this.findAll(row.name, key), known]);
    }
    return known;
  }

  drop(row: ConfigFamily, id: string): void {
    const { names } = this.get(row.name, id) ?? {};
    this.#byId.get(row.name)?.delete(id);
    if (names === undefined) return;
    const key = foldKey(toKeyText(names));
    this.#byKey.get(row.name)?.set(
      key,
      this.findAll(row.name, key).filter((other) => other.id !== id),
    );
  }

  get(name: ConfigFamilyName, id: string): KnownRecord | undefined {
    return this.#byId.get(name)?.get(id);
  }

  findAll(name: ConfigFamilyName, key: string): readonly KnownRecord[] {
    return this.#byKey.get(name)?.get(foldKey(key)) ?? [];
  }

  all(name: ConfigFamilyName): readonly KnownRecord[] {
    return [...(this.#byId.get(name)?.values() ?? [])];
  }

  keys(name: ConfigFamilyName): readonly string[] {
    return this.all(name).flatMap(({ names }) => (names === undefined ? [] : [toKeyText(names)]));
  }

  /** The names that identify a record, when it has all of them. */
  namesOf(row: ConfigFamily, record: Members): readonly string[] | undefined {
    const parts = row.key.map((path) => {
      const value = valueAt(record, path);
      const target = row.references[path];
      if (typeof value !== "string" || value === "") return undefined;
      return target === undefined ? [value] : this.get(target, value)?.names;
    });
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
  }

  /** The reference to a record in documents: its key, or its id where no key is unique. */
  textOf(name: ConfigFamilyName, id: string): string {
    const { names } = this.get(name, id) ?? {};
    if (names === undefined) return id;
    const key = toKeyText(names);
    const isOther = this.get(name, key.toLowerCase()) !== undefined;
    return this.findAll(name, key).length === 1 && !isOther ? key : id;
  }

  /** A record with keys in place of ids, and with sorted sets. */
  toKeys(row: ConfigFamily, flat: Members): Members {
    let shown: unknown = flat;
    for (const [path, name] of Object.entries(row.references))
      shown = mapAt(shown, path, (id) => (typeof id === "string" ? this.textOf(name, id) : id));
    for (const path of row.sets ?? []) shown = mapAt(shown, path, (list) => (Array.isArray(list) ? list.toSorted() : list));
    return shown as Members;
  }
}

// Children come after their parents within a family.
function parentsFirst<Found extends { readonly stored: StoredRecord; readonly record: Members }>(
  found: readonly Found[],
): readonly Found[] {
  const parents = new Map(found.map(({ stored, record }) => [stored.id, record.parentId]));
  const depthOf = (id: unknown): number => (typeof id === "string" && parents.has(id) ? 1 + depthOf(parents.get(id)) : 0);
  if (found.every(({ record }) => record.parentId === undefined)) return found;
  return found.toSorted((a, b) => depthOf(a.stored.id) - depthOf(b.stored.id));
}
