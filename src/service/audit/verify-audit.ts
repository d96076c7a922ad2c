import type { ServiceContext } from "../../operations/service-context.js";
import type { Timers } from "../../ports/runtime.js";
import { type Filter, globalScope, type StorageReader, type StoredRecord, type Table } from "../../ports/storage.js";
import { auditDigestsTable, auditLogsTable, auditQueueTable } from "../../records/audit-logs/family.js";
import { type AuditLink, digestOf, digestOfLink, type QueuedEntry } from "../../security/audit-digests.js";
import { type ChainHead, readChainHead } from "./audit-chain.js";
import { findMovedEntries } from "./moved-entries.js";

/** Options of {@link AuditOperations.verify}. */
export interface AuditVerifyOptions {
  /** The digest of an earlier head: the chain must contain it. Default: not checked. */
  readonly expected?: string | undefined;
  /**
   * The retention of entries, in milliseconds: older ones may be missing. Default: the option `auditRetentionMs` of the service.
   */
  readonly retentionMs?: number | undefined;
}

/** The reason for a broken chain: see docs/audit.md#verify-the-log. */
export type AuditFault = "added" | "changed" | "link" | "removed" | "shortened" | "unknownHead";

/** The result of {@link AuditOperations.verify}. */
export interface AuditVerification {
  /** The first faulty entry; absent for an intact log. */
  readonly broken?: { readonly auditLogId?: number; readonly reason: AuditFault } | undefined;
  /** The last link. Record its digest elsewhere, and pass it as `expected` later. */
  readonly head: ChainHead;
  /** The number of entries with their link and unchanged contents. */
  readonly intact: number;
  /** The number of entries that are missing after their retention. */
  readonly expired: number;
  /** The number of entries that wait for their link. */
  readonly waiting: number;
  /** The number of entries older than the chain. */
  readonly unchained: number;
}

/** Operations on the audit log as a whole. */
export interface AuditOperations {
  /** Compares a snapshot of the audit log with its chain of digests; reports the first faulty entry. */
  verify(options?: AuditVerifyOptions): Promise<AuditVerification>;
}

const pageSize = 500;

/** Compares the audit log with its chain. */
export function verifyAudit(service: ServiceContext, options: AuditVerifyOptions = {}): Promise<AuditVerification> {
  const { expected, retentionMs = service.auditRetentionMs } = options;
  const expiredBefore = service.runtime.clock() - retentionMs;
  return service.storage.snapshot(async (reader) => new AuditCheck(service, reader, expiredBefore, expected).run());
}

interface FoundEntry {
  readonly json: string;
  /** Whether it is stored under a tenant or instant other than in its text. */
  readonly isMoved: boolean;
}

class AuditCheck {
  readonly #timers: Timers;
  readonly #tenantsTable: Table;
  readonly #reader: StorageReader;
  readonly #expiredBefore: number;
  readonly #expected: string | undefined;
  readonly #counts = { intact: 0, expired: 0, waiting: 0, unchained: 0 };
  #broken: AuditVerification["broken"];
  #firstNumber = Number.POSITIVE_INFINITY;
  #hasExpected = false;

  constructor(
    { runtime, tenantsTable }: ServiceContext,
    reader: StorageReader,
    expiredBefore: number,
    expected: string | undefined,
  ) {
    this.#timers = runtime.timers;
    this.#tenantsTable = tenantsTable;
    this.#reader = reader;
    this.#expiredBefore = expiredBefore;
    this.#expected = expected;
  }

  async run(): Promise<AuditVerification> {
    const head = await readChainHead(this.#reader);
    const last = await this.#checkLinks();
    if (last.digest !== head.digest || last.position !== head.position) this.#report("shortened");
    if (this.#expected !== undefined && !this.#hasExpected) this.#report("unknownHead");
    await this.#checkOthers(await this.#checkWaiting());
    return { broken: this.#broken, head, ...this.#counts };
  }

  #report(reason: AuditFault, auditLogId?: number): void {
    this.#broken ??= { reason, ...(auditLogId !== undefined && { auditLogId }) };
  }

  async #checkLinks(): Promise<ChainHead> {
    let last: ChainHead = { digest: "", position: 0 };
    for (;;) {
      const links = await this.#linksAfter(last.position);
      const entries = await this.#entriesOf(links);
      for (const link of links) {
        const isNext = link.position === last.position + 1 && digestOfLink(last.digest, link) === link.digest;
        if (!isNext) this.#report("link", link.number);
        this.#hasExpected ||= link.digest === this.#expected;
        this.#firstNumber = Math.min(this.#firstNumber, link.number);
        this.#compare(link, entries.get(link.number));
        last = { digest: link.digest, position: link.position };
      }
      if (links.length < pageSize) return last;
      await this.#timers.nextTurn();
    }
  }

  async #linksAfter(position: number): Promise<readonly AuditLink[]> {
    const filter = { op: "compare", column: "position", comparison: ">", value: position } as const;
    const options = { limit: pageSize, sort: [{ column: "position", direction: "asc" }] } as const;
    return (await this.#reader.find(globalScope, auditDigestsTable, filter, options)).map(({ json }) => JSON.parse(json));
  }

  async #entriesOf(links: readonly QueuedEntry[]): Promise<ReadonlyMap<number, FoundEntry>> {
    const filter: Filter = { op: "in", column: "number", values: links.map(({ number }) => number) };
    const found = links.length === 0 ? [] : await this.#reader.find(globalScope, auditLogsTable, filter);
    const moved = await findMovedEntries(this.#reader, this.#tenantsTable, found);
    return new Map(
      found.map(({ json }) => {
        const number = numberOf({ json });
        return [number, { json, isMoved: moved.has(number) }];
      }),
    );
  }

  #compare({ content, insertInstant, number }: QueuedEntry, entry: FoundEntry | undefined): void {
    if (entry !== undefined && isIntact(entry, content)) this.#counts.intact++;
    else if (entry !== undefined) this.#report("changed", number);
    else if (insertInstant < this.#expiredBefore) this.#counts.expired++;
    else this.#report("removed", number);
  }

  // The queue is short while processes run.
  async #checkWaiting(): Promise<ReadonlySet<number>> {
    const waiting = new Set<number>();
    for (let after = ""; ; ) {
      const found = await this.#reader.find(globalScope, auditQueueTable, undefined, { limit: pageSize, after });
      const queued = found.map(({ json }): QueuedEntry => JSON.parse(json));
      const entries = await this.#entriesOf(queued);
      for (const { content, insertInstant, number } of queued) {
        waiting.add(number);
        this.#firstNumber = Math.min(this.#firstNumber, number);
        this.#counts.waiting++;
        const entry = entries.get(number);
        if (entry !== undefined && !isIntact(entry, content)) this.#report("changed", number);
        if (entry === undefined && insertInstant >= this.#expiredBefore) this.#report("removed", number);
      }
      const last = found.at(-1);
      if (last === undefined || found.length < pageSize) return waiting;
      after = last.id;
    }
  }

  // Finds entries with neither a link nor a place in the queue.
  async #checkOthers(waiting: ReadonlySet<number>): Promise<void> {
    const first = this.#firstNumber;
    for (let number = 0; ; ) {
      const filter = { op: "compare", column: "number", comparison: ">", value: number } as const;
      const options = { limit: pageSize, sort: [{ column: "number", direction: "asc" }] } as const;
      const page = (await this.#reader.find(globalScope, auditLogsTable, filter, options)).map(numberOf);
      const linked = await this.#linkedAmong(page);
      for (const one of page.filter((each) => !linked.has(each) && !waiting.has(each)))
        if (one < first) this.#counts.unchained++;
        else this.#report("added", one);
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return;
      number = last;
      await this.#timers.nextTurn();
    }
  }

  async #linkedAmong(numbers: readonly number[]): Promise<ReadonlySet<number>> {
    if (numbers.length === 0) return new Set();
    const found = await this.#reader.find(globalScope, auditDigestsTable, { op: "in", column: "number", values: numbers });
    return new Set(found.map(({ json }) => (JSON.parse(json) as AuditLink).number));
  }
}

function isIntact({ isMoved, json }: FoundEntry, content: string): boolean {
  return !isMoved && digestOf(json) === content;
}

function numberOf({ json }: Pick<StoredRecord, "json">): number {
  return (JSON.parse(json) as { readonly id: number }).id;
}
