import type { KeyUses } from "./authenticate/key-uses.js";
import { eventsTable } from "./events/table.js";
import type { ServiceContext } from "./operations/service-context.js";
import { globalScope, type Table } from "./ports/storage.js";
import { saveKeyUses } from "./resources/api-keys/rules.js";
import { eventLogsTable } from "./resources/event-logs/table.js";
import { passwordChangesTable } from "./resources/logins/table.js";
import { refreshTokensTable } from "./resources/refresh-tokens/table.js";
import { eraseTenant, findTenantsToErase } from "./resources/tenants/rules.js";
import { pendingLoginsTable } from "./resources/two-factor/table.js";
import { removeOldProofs } from "./sessions/used-proofs.js";
import { attemptsTable } from "./throttle/table.js";

const keyUsesEveryMs = 60_000;
const pruneEveryMs = 3_600_000;
const pruneProofsEveryMs = 10_000;

/** What does not stay: the tables, the instant that counts, and how long past it a record is kept. */
const expiring: readonly (readonly [table: Table, column: string, keepMs: number])[] = [
  [eventsTable, "insertInstant", 7 * 24 * 3_600_000],
  [eventLogsTable, "insertInstant", 30 * 24 * 3_600_000],
  [attemptsTable, "expiryInstant", 0],
  [passwordChangesTable, "expirationInstant", 0],
  [refreshTokensTable, "expirationInstant", 0],
  [pendingLoginsTable, "expirationInstant", 0],
];

/** The work that no request waits for: last uses of keys, old events, proofs and attempts, promised removals. Never keeps the process alive. */
export class Housekeeping {
  readonly #service: () => ServiceContext;
  readonly #uses: KeyUses;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(service: () => ServiceContext, uses: KeyUses) {
    this.#service = service;
    this.#uses = uses;
  }

  async start(): Promise<void> {
    this.#every(keyUsesEveryMs, () => this.saveKeyUses());
    this.#every(pruneProofsEveryMs, () => removeOldProofs(this.#service().storage, this.#service().runtime.clock()));
    this.#every(pruneEveryMs, () => this.prune());
    for (const tenantId of await findTenantsToErase(this.#service().storage)) this.eraseTenant(tenantId);
  }

  /** Removes a tenant in the background. */
  eraseTenant(tenantId: string): void {
    this.#run(() => this.#service().storage.transaction((tx) => eraseTenant(tx, this.#service(), tenantId)));
  }

  async saveKeyUses(): Promise<void> {
    const uses = this.#uses.drain();
    if (uses.length > 0) await this.#service().storage.transaction((tx) => saveKeyUses(tx, uses));
  }

  /** Ends the timers and waits for what runs. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.saveKeyUses().catch(() => undefined);
  }

  /** Removes what has had its time. */
  async prune(): Promise<void> {
    const { storage, runtime } = this.#service();
    const now = runtime.clock();
    await storage.transaction(async (tx) => {
      for (const [table, column, keepMs] of expiring)
        await tx.remove(globalScope, table, { op: "compare", column, comparison: "<", value: now - keepMs });
    });
  }

  #every(intervalMs: number, work: () => Promise<void>): void {
    this.#timers.push(setInterval(() => this.#run(work), intervalMs).unref());
  }

  #run(work: () => Promise<void>): void {
    const run = work()
      .catch((error) => this.#service().runtime.logger.error({ err: error }, "housekeeping failed"))
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }
}
