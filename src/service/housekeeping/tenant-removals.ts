import type { ServiceContext, TenantRemovals } from "../../operations/service-context.js";
import { StorageUnavailable } from "../../ports/storage.js";
import { once, pause } from "../../shared/async.js";
import { findTenantsToErase } from "../../tenants/tenants/rules.js";
import { type EraseOutcome, eraseBatch, firstPosition, releaseTenant } from "./erase-tenant.js";

const pollMilliseconds = 100;

/**
 * Erases tenants that are marked for removal, each in batches. A lease gives each tenant to one process; if that crashes, another
 * process continues after the end of the lease.
 */
export class TenantEraser implements TenantRemovals {
  readonly #service: () => ServiceContext;
  /** The id of this process in leases. */
  readonly #owner = once(() => this.#service().runtime.newId());
  /** The running work by tenant; each promise resolves to whether the tenant is erased. */
  readonly #running = new Map<string, Promise<boolean>>();
  #isStopped = false;

  constructor(service: () => ServiceContext) {
    this.#service = service;
  }

  readonly start = (tenantId: string): void => {
    this.#run(tenantId).catch((error) => {
      this.#service().runtime.logger.error({ err: error, tenantId }, "housekeeping failed");
    });
  };

  readonly finish = async (tenantId: string): Promise<void> => {
    while (!(await this.#run(tenantId))) {
      if (this.#isStopped) throw new StorageUnavailable("The service is closing. The next one removes the rest of the tenant.");
      await pause(this.#service().runtime.timers, pollMilliseconds);
    }
  };

  readonly settle = async (): Promise<void> => {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  };

  /** Continues removals of any process. */
  readonly resume = async (): Promise<void> => {
    for (const tenantId of await findTenantsToErase(this.#service().storage)) this.start(tenantId);
  };

  /** Stops after the current batches. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.settle();
  }

  #run(tenantId: string): Promise<boolean> {
    let running = this.#running.get(tenantId);
    if (running === undefined) {
      running = this.#erase(tenantId).finally(() => this.#running.delete(tenantId));
      this.#running.set(tenantId, running);
    }
    return running;
  }

  async #erase(tenantId: string): Promise<boolean> {
    const service = this.#service();
    const eraser = { tenantId, owner: this.#owner() };
    for (let position = firstPosition; !this.#isStopped; ) {
      // The first batch erases most tenants, and is not worth a thread.
      const options = { isLong: position !== firstPosition };
      const from = position;
      const outcome: EraseOutcome = await service.storage.transaction((tx) => eraseBatch({ service, tx }, eraser, from), options);
      if (outcome === "gone") return true;
      if (outcome === "held") return false;
      position = outcome;
    }
    await service.storage.transaction((tx) => releaseTenant({ service, tx }, eraser));
    return false;
  }
}
