import { globalScope, type Storage, type Table } from "../../ports/storage.js";
import { invalidateAllProcesses } from "../../shared/invalidate-all-processes.js";
import { TtlCache } from "../../shared/ttl-cache.js";
import type { TransactionType } from "../webhooks/approvals.js";
import { eventTypes } from "./event-types.js";

type Settings = Readonly<Record<string, { readonly enabled: boolean; readonly transactionType: TransactionType } | undefined>>;

const transactional: ReadonlySet<string> = new Set(
  eventTypes.flatMap(({ isTransactional, name }) => (isTransactional ? [name] : [])),
);

/** What tenants say about events, kept for a moment: asked with each event. */
export class EventSettings {
  readonly #storage: Storage;
  readonly #tenantsTable: Table;
  readonly #kept = new TtlCache<Settings>();
  /** Makes every process on the storage forget, so that changes take effect at once. */
  readonly forget: () => void;

  constructor(storage: Storage, tenantsTable: Table) {
    this.#storage = storage;
    this.#tenantsTable = tenantsTable;
    const forgetEventSettings = (): void => this.#kept.invalidate();
    this.forget = invalidateAllProcesses(storage.signals, { forgetEventSettings }).forgetEventSettings;
  }

  /** How many receivers of an event of this kind must agree first. Answers at once where it is known. */
  transactionTypeOf(tenantId: string | undefined, type: string): TransactionType | Promise<TransactionType> {
    if (tenantId === undefined || !transactional.has(type)) return "None";
    const kept = this.#kept.get(tenantId);
    if (kept !== undefined) return toType(kept, type);
    return this.#kept.find(tenantId, () => this.#read(tenantId)).then((settings) => toType(settings, type));
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
