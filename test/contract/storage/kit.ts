import {
  type Filter,
  globalScope,
  type RecordToStore,
  type Storage,
  type StorageReader,
  type StoredRecord,
  type Table,
} from "latchkey/ports";
import { expect } from "vitest";
import { books } from "./tables.js";

/** Keeps records in one transaction. */
export function keep(storage: Storage, table: Table, records: readonly RecordToStore[]): Promise<void> {
  return storage.transaction((tx) => tx.insert(globalScope, table, records));
}

/** The labels that the JSON of records holds. */
export function labelsOf(records: readonly StoredRecord[]): string[] {
  return records.map((record) => (JSON.parse(record.json) as { label: string }).label);
}

/** The labels of all kept records that pass a filter, in order of id. */
export async function keptLabels(reader: StorageReader, filter?: Filter, table: Table = books): Promise<string[]> {
  return labelsOf(await reader.find(globalScope, table, filter));
}

/** The members of a record as every storage must give them back; what a storage adds is its own business. */
export function storedPart({ id, tenantId, version, json, hidden }: StoredRecord): StoredRecord {
  return { id, tenantId, version, json, hidden };
}

/** The error that a promise rejects with, which must be of the given class. */
export async function rejectionOf<E extends Error>(
  promise: Promise<unknown>,
  kind: new (...parameters: never[]) => E,
): Promise<E> {
  const reason: unknown = await promise.then(
    () => "nothing was refused",
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(kind);
  return reason as E;
}

/** A promise, and the function that resolves it. */
export interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

/** Something that one part of a test opens and another waits for. */
export function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
