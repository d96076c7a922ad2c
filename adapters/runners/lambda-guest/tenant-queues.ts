/** An item that waits for a tenant. */
export interface Waiting {
  readonly tenant: string | undefined;
  /** The name of its queue within the tenant. May change while the item waits. */
  readonly queue: string;
}

interface Served<Item, Server> {
  readonly item: Item;
  readonly server: Server;
}

/** Round-robin queues: tenant by tenant, and within a tenant queue by queue. */
export class TenantQueues<Item extends Waiting> {
  readonly #tenants = new Map<string | undefined, Map<string, Item[]>>();
  readonly #sizes = new Map<string | undefined, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(tenant: string | undefined): number {
    return this.#sizes.get(tenant) ?? 0;
  }

  /** Appends an item to its queue. */
  push(item: Item): void {
    this.#queueOf(item).push(item);
    this.#count(item, 1);
  }

  /** Puts items back at the front of their queues, in their order. */
  putBack(items: readonly Item[]): void {
    for (const item of items.toReversed()) {
      this.#queueOf(item).unshift(item);
      this.#count(item, 1);
    }
  }

  /** Takes the first item, in round-robin order, for which a server is available. */
  take<Server>(serverFor: (item: Item) => Server | undefined): Served<Item, Server> | undefined {
    for (const [tenant, queues] of this.#tenants) {
      const served = this.#takeFrom(queues, serverFor);
      if (served === undefined) continue;
      // Move the tenant to the end of the round.
      this.#tenants.delete(tenant);
      if (queues.size > 0) this.#tenants.set(tenant, queues);
      this.#count(served.item, -1);
      return served;
    }
    return undefined;
  }

  takeAll(): readonly Item[] {
    const items = [...this.#tenants.values()].flatMap((queues) => [...queues.values()].flat());
    this.#tenants.clear();
    this.#sizes.clear();
    this.#size = 0;
    return items;
  }

  #takeFrom<Server>(
    queues: Map<string, Item[]>,
    serverFor: (item: Item) => Server | undefined,
  ): Served<Item, Server> | undefined {
    for (const [name, queue] of queues) {
      this.#moveChanged(queues, name, queue);
      const [item] = queue;
      const server = item && serverFor(item);
      if (item === undefined || server === undefined) continue;
      queue.shift();
      queues.delete(name);
      if (queue.length > 0) queues.set(name, queue);
      return { item, server };
    }
    return undefined;
  }

  #count({ tenant }: Item, change: 1 | -1): void {
    this.#size += change;
    const size = this.sizeOf(tenant) + change;
    if (size === 0) this.#sizes.delete(tenant);
    else this.#sizes.set(tenant, size);
  }

  #moveChanged(queues: Map<string, Item[]>, name: string, queue: Item[]): void {
    for (let [item] = queue; item !== undefined && item.queue !== name; [item] = queue) {
      queue.shift();
      this.#queueOf(item).push(item);
    }
    if (queue.length === 0) queues.delete(name);
  }

  #queueOf(item: Item): Item[] {
    const queues = this.#tenants.get(item.tenant) ?? new Map<string, Item[]>();
    this.#tenants.set(item.tenant, queues);
    const queue = queues.get(item.queue) ?? [];
    queues.set(item.queue, queue);
    return queue;
  }
}
