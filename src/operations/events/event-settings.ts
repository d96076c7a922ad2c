import { eventTypes } from "../../availability/event-types.js";
import { globalScope, type StorageSignals, type Table, type Transaction } from "../../ports/storage.js";
import { invalidateAllProcesses, TtlCache } from "../../shared/ttl-cache.js";
import type { TenantEventSettings, TransactionSettings, TransactionType } from "./approvals.js";

const transactional: ReadonlySet<string> = new Set(
  eventTypes.flatMap(({ isTransactional, name }) => (isTransactional ? [name] : [])),
);

/** Who receives events of some types: a broker, webhooks of all tenants, or webhooks of some. */
export interface TypeReceivers {
  /** The types that receivers in every tenant get. */
  readonly everywhere: ReadonlySet<string>;
  /** By tenant, the types that its own webhooks get. */
  readonly byTenant: ReadonlyMap<string, ReadonlySet<string>>;
}

/** So long another process may not know of a new receiver, where no signal reaches it. */
const receiversAgeMs = 60_000;

/** What tenants and receivers say about events, cached for a moment: asked with each event. */
export class EventSettings {
  readonly #tenantsTable: Table;
  readonly #cache: TtlCache<TenantEventSettings>;
  readonly #receivers: TtlCache<TypeReceivers>;
  /** Invalidates the cache of every process on the storage, so that changes take effect at once. */
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

  /** The settings for a transaction that begins. */
  startTransaction(): TransactionSettings {
    return { byTenant: new Map(), share: this.#cache.startReading() };
  }

  /**
   * How many receivers of an event of this kind must agree first. Answers at once where it is known, else the transaction reads it in
   * itself: outside of it, a read could wait for the connection that the transaction has.
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

  /** Who receives the events that only some installations need: as `read` finds it, kept until a receiver changes, for a minute at most. */
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
