import { eventTypes } from "../../availability/event-types.js";
import { globalScope, type Storage, type Table } from "../../ports/storage.js";
import { invalidateAllProcesses, TtlCache } from "../../shared/ttl-cache.js";
import type { TransactionType } from "./approvals.js";

type Settings = Readonly<Record<string, { readonly enabled: boolean; readonly transactionType: TransactionType } | undefined>>;

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
  readonly #storage: Storage;
  readonly #tenantsTable: Table;
  readonly #cache = new TtlCache<Settings>();
  readonly #receivers = new TtlCache<TypeReceivers>(1, receiversAgeMs);
  /** Invalidates the cache of every process on the storage, so that changes take effect at once. */
  readonly invalidate: () => void;

  constructor(storage: Storage, tenantsTable: Table) {
    this.#storage = storage;
    this.#tenantsTable = tenantsTable;
    const forgetEventSettings = (): void => {
      this.#cache.invalidate();
      this.#receivers.invalidate();
    };
    this.invalidate = invalidateAllProcesses(storage.signals, { forgetEventSettings }).forgetEventSettings;
  }

  /** How many receivers of an event of this kind must agree first. Answers at once where it is known. */
  transactionTypeOf(tenantId: string | undefined, type: string): TransactionType | Promise<TransactionType> {
    if (tenantId === undefined || !transactional.has(type)) return "None";
    const cached = this.#cache.get(tenantId);
    if (cached !== undefined) return toType(cached, type);
    return this.#cache.find(tenantId, () => this.#read(tenantId)).then((settings) => toType(settings, type));
  }

  /** Who receives the events that only some installations need: as `read` finds it, kept until a receiver changes, for a minute at most. */
  findReceivers(read: () => Promise<TypeReceivers>): Promise<TypeReceivers | undefined> {
    return this.#receivers.find("", read);
  }

  async #read(tenantId: string): Promise<Settings | undefined> {
    const stored = await this.#storage.retrieve(globalScope, this.#tenantsTable, tenantId);
    return stored && JSON.parse(stored.json).eventConfiguration.events;
  }
}

function toType(settings: Settings | undefined, type: string): TransactionType {
  const setting = settings?.[type];
  return setting?.enabled === false ? "None" : (setting?.transactionType ?? "None");
}
