import { eventTypes } from "../../availability/event-types.js";
import { globalScope, type StorageSignals, type Table, type Transaction } from "../../ports/storage.js";
import { invalidateAllProcesses, TtlCache } from "../../shared/ttl-cache.js";
import type { TenantEventSettings, TransactionSettings, TransactionType } from "./approvals.js";

const transactional: ReadonlySet<string> = new Set(
  eventTypes.flatMap(({ isTransactional, name }) => (isTransactional ? [name] : [])),
);

/** The receivers of some event types: a broker, webhooks of all tenants, or webhooks of some. */
export interface TypeReceivers {
  /** The types that receivers of every tenant get. */
  readonly everywhere: ReadonlySet<string>;
  /** The types that webhooks of one tenant get, by tenant. */
  readonly byTenant: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The longest delay before another process knows a new receiver, without signals. */
const receiversAgeMs = 60_000;

/** A TTL cache of the event settings of tenants and receivers: each event needs them. */
export class EventSettings {
  readonly #tenantsTable: Table;
  readonly #cache: TtlCache<TenantEventSettings>;
  readonly #receivers: TtlCache<TypeReceivers>;
  /** Invalidates the caches of all processes on the storage. */
  readonly invalidate: () => void;

  constructor(signals: StorageSignals | undefined, tenantsTable: Table, monotonic: () => number) {
    this.#tenantsTable = tenantsTable;
    this.#cache = new TtlCache(monotonic);
    this.#receivers = new TtlCache(monotonic, 1, receiversAgeMs);
    const forgetEventSettings = (): void => {
      this.#cache.invalidate();
      this.#receivers.invalidate();
    };
    this.invalidate = invalidateAllProcesses(signals, { forgetEventSettings }).forgetEventSettings;
  }

  startTransaction(): TransactionSettings {
    return { byTenant: new Map(), share: this.#cache.startReading() };
  }

  /**
   * The share of receivers that must agree to an event of this type. Synchronous where cached. Reads inside the transaction:
   * outside, a read could wait for the connection that the transaction holds.
   */
  transactionTypeOf(
    tx: Transaction,
    settings: TransactionSettings,
    { tenantId, type }: { readonly tenantId?: string | undefined; readonly type: string },
  ): TransactionType | Promise<TransactionType> {
    if (tenantId === undefined || !transactional.has(type)) return "None";
    const known = this.#cache.get(tenantId) ?? settings.byTenant.get(tenantId);
    return known === undefined ? this.#read(tx, settings, tenantId).then((read) => toType(read, type)) : toType(known, type);
  }

  /**
   * The receivers of events that only some installations need: the result of `read`, cached until a receiver changes, for a
   * minute at most.
   */
  findReceivers(read: () => Promise<TypeReceivers>): Promise<TypeReceivers | undefined> {
    return this.#receivers.find("", read);
  }

  async #read(
    tx: Transaction,
    { byTenant, share }: TransactionSettings,
    tenantId: string,
  ): Promise<TenantEventSettings | undefined> {
    const stored = await tx.retrieve(globalScope, this.#tenantsTable, tenantId);
    if (stored === undefined) return undefined;
    const settings: TenantEventSettings = JSON.parse(stored.json).eventConfiguration.events;
    byTenant.set(tenantId, settings);
    tx.afterCommit(() => share(tenantId, settings));
    return settings;
  }
}

function toType(settings: TenantEventSettings | undefined, type: string): TransactionType {
  const setting = settings?.[type];
  return setting?.enabled === false ? "None" : (setting?.transactionType ?? "None");
}
