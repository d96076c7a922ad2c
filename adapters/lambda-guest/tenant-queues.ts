/** Something that waits on behalf of a tenant. */
export interface Waiting {
  readonly tenant: string | undefined;
  /** Those that are likely to take long wait in a queue of their own: nobody else waits behind them. */
  readonly isSlow: boolean;
}

/** A queue for each tenant, and one for its slow items; they are served in turn. */
export class TenantQueues<Item extends Waiting> {
  readonly #queues = new Map<string, Item[]>();
  #size = 0;

  /** Items of all tenants. */
  get size(): number {
    return this.#size;
  }

  /** Items of one. */
  sizeOf(tenant: string | undefined): number {
    const ofTenant = [false, true].map((isSlow) => this.#queues.get(queueName({ tenant, isSlow }))?.length ?? 0);
    return ofTenant.reduce((sum, size) => sum + size, 0);
  }

  /** Adds one behind the others of its queue. */
  push(item: Item): void {
    this.#queueOf(item).push(item);
    this.#size++;
  }

  /** Puts items back before the others of their queues, in their order. */
  putBack(items: readonly Item[]): void {
    for (const item of items.toReversed()) this.#queueOf(item).unshift(item);
    this.#size += items.length;
  }

  /** Takes the first item of the first queue in turn for which there is someone to serve it. */
  take<Server>(serverFor: (item: Item) => Server | undefined): { readonly item: Item; readonly server: Server } | undefined {
    for (const [name, queue] of this.#queues) {
      const [item] = queue;
      const server = item && serverFor(item);
      if (item === undefined || server === undefined) continue;
      queue.shift();
      this.#queues.delete(name);
      // Its next turn is after everyone else's.
      if (queue.length > 0) this.#queues.set(name, queue);
      this.#size--;
      return { item, server };
    }
    return undefined;
  }

  /** Takes everything. */
  takeAll(): readonly Item[] {
    const items = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#size = 0;
    return items;
  }

  #queueOf(item: Item): Item[] {
    const name = queueName(item);
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue: Item[] = [];
    this.#queues.set(name, queue);
    return queue;
  }
}

function queueName({ tenant, isSlow }: Waiting): string {
  return `${isSlow ? "slow" : "quick"} ${tenant === undefined ? "" : `of ${tenant}`}`;
}
