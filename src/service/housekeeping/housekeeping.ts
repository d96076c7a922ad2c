import { pruneEarlierReceivers } from "../../delivery/integrations/earlier-receivers.js";
import { familyRules } from "../../families/family-rules.js";
import { toRetention } from "../../families/index.js";
import type { KeyUses } from "../../http/authenticate/authenticate-request.js";
import { saveKeyUses } from "../../keys/api-keys/rules.js";
import type { ImportJobLimits, RecordedLogin, ServiceContext } from "../../operations/service-context.js";
import { globalScope, StaleVersion, StorageUnavailable } from "../../ports/storage.js";
import { isDueAt, userActionLogsTable } from "../../records/user-action-logs/family.js";
import { removeOldProofs } from "../../sessions/tokens/used-proofs.js";
import { lazily } from "../../shared/async.js";
import { toServiceCall } from "../audit/start-auditing.js";
import { ImportRunner } from "./import-runner.js";
import { TenantEraser } from "./tenant-removals.js";

// Loaded on demand: most processes need none of these tasks soon.
const loadTasks = lazily(() => import("./tasks.js"));

/** Delay of the look for missing indexes after a start, in milliseconds. The host listens then. */
const quietMs = 15_000;

/**
 * Background work: last uses of keys, old events, proofs and attempts, ends of actions, login records, pending removals, imports.
 * Never keeps the process alive.
 */
export class Housekeeping {
  readonly #service: () => ServiceContext;
  readonly #uses: KeyUses;
  #logins: RecordedLogin[] = [];
  readonly #timers: (() => void)[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #chores: readonly (readonly [everyMs: number, work: () => Promise<void>])[] = [
    [60_000, () => this.saveKeyUses()],
    [10_000, () => removeOldProofs(this.#service().storage, this.#service().runtime.clock())],
    [10_000, () => this.tenantRemovals.resume()],
    // Every poll of the outbox reads the records that this removes.
    [10_000, () => pruneEarlierReceivers(this.#service())],
    [10_000, () => this.endActions()],
    [5_000, () => this.imports.resume()],
    [30_000, () => this.appendAuditLinks()],
    [60_000, () => this.warnOfExpiringKeys()],
    [600_000, () => this.imports.prune()],
    [1_000, () => this.saveLogins()],
    [3_600_000, () => this.prune()],
  ];
  readonly tenantRemovals: TenantEraser;
  readonly imports: ImportRunner;

  constructor(service: () => ServiceContext, uses: KeyUses) {
    this.#service = service;
    this.#uses = uses;
    this.tenantRemovals = new TenantEraser(service);
    this.imports = new ImportRunner(service);
  }

  async start(): Promise<void> {
    const { timers } = this.#service().runtime;
    for (const [everyMs, work] of this.#chores) this.#timers.push(timers.every(everyMs, () => this.#run(work)));
    // An interval that ends itself: tests of hosts that fake `setTimeout` count no timer of the service.
    const cancel = timers.every(quietMs, () => {
      cancel();
      this.#run(() => this.warnOfMissingIndexes());
    });
    this.#timers.push(cancel);
    await this.tenantRemovals.resume();
    await this.imports.resume();
  }

  /** Runs all periodic tasks at once, and waits for all running work. */
  async settle(): Promise<void> {
    for (const [, work] of this.#chores) this.#run(work);
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.tenantRemovals.settle();
    await this.imports.settle();
  }

  /** The tasks that operations schedule. */
  work(
    importLimits: ImportJobLimits,
  ): Pick<ServiceContext, "endDeliveries" | "importJobs" | "queueLoginRecord" | "tenantRemovals"> {
    return {
      endDeliveries: (receiverId) => this.endDeliveries(receiverId),
      queueLoginRecord: (login) => void this.#logins.push(login),
      tenantRemovals: this.tenantRemovals,
      importJobs: this.imports.toWork(importLimits),
    };
  }

  /** Ends, in the background, deliveries to a removed or disabled receiver. */
  endDeliveries(receiverId: string): void {
    this.#run(async () => (await loadTasks()).endDeliveries(this.#service(), receiverId));
  }

  async endActions(): Promise<void> {
    const service = this.#service();
    const isDue = isDueAt(service.runtime.clock());
    const due = await service.storage.find(globalScope, userActionLogsTable, isDue, {
      limit: 1_000,
      sort: [{ column: "endInstant", direction: "asc" }],
    });
    for (const { id } of due) {
      const { endAction } = (await familyRules.people()).userActionLogs;
      const ending = service.storage.transaction((tx) => endAction(toServiceCall(service, tx), id));
      await ending.catch((error: unknown) => {
        if (!(error instanceof StaleVersion)) service.runtime.logger.error({ actionId: id, err: error }, "housekeeping failed");
      });
    }
  }

  async appendAuditLinks(): Promise<void> {
    await (await loadTasks()).appendAuditLinks(this.#service());
  }

  async warnOfExpiringKeys(): Promise<void> {
    await (await loadTasks()).publishWarnings(this.#service());
  }

  /** Warns of large tables that lack indexes. */
  async warnOfMissingIndexes(): Promise<void> {
    await (await loadTasks()).warnOfMissingIndexes(this.#service());
  }

  async saveKeyUses(): Promise<void> {
    const uses = this.#uses.drain();
    if (uses.length === 0) return;
    const saved = this.#service().storage.transaction((tx) => saveKeyUses(tx, uses));
    await saved.catch((error: unknown) => {
      this.#uses.restore(uses);
      throw error;
    });
  }

  async saveLogins(): Promise<void> {
    const logins = this.#logins.splice(0);
    if (logins.length === 0) return;
    const { runtime, storage } = this.#service();
    const { saveLogins } = await loadTasks();
    const saved = storage.transaction((tx) => saveLogins(tx, logins, runtime.newId));
    await saved.catch((error: unknown) => {
      // Other failures would repeat. During an outage no login adds another record.
      if (error instanceof StorageUnavailable) this.#logins = [...logins, ...this.#logins];
      throw error;
    });
  }

  /** Stops the timers and waits for running work. */
  async stop(): Promise<void> {
    for (const cancel of this.#timers) cancel();
    await this.tenantRemovals.stop();
    await this.imports.stop();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Waits for work that calls began after `stop`, and writes what they queued: the last step before the storage closes. */
  async flush(): Promise<void> {
    await this.stop();
    await this.saveKeyUses().catch(() => undefined);
    await this.saveLogins().catch(() => undefined);
  }

  /** Removes records after their retention. */
  async prune(): Promise<void> {
    const { auditRetentionMs, runtime, storage } = this.#service();
    const now = runtime.clock();
    await storage.transaction(async (tx) => {
      for (const [table, column, keepMs] of toRetention(auditRetentionMs))
        await tx.remove(globalScope, table, { op: "compare", column, comparison: "<", value: now - keepMs });
    });
  }

  #run(work: () => Promise<void>): void {
    const run = work()
      .catch((error) => this.#service().runtime.logger.error({ err: error }, "housekeeping failed"))
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }
}
