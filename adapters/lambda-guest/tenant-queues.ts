/** Something that waits on behalf of a tenant. */
export interface Waiting {
  readonly tenant: string | undefined;
  /** Where it waits. May change while it does. */
  readonly queue: string;
}

/** Queues that are served in turn. */
export class TenantQueues<Item extends Waiting> {
  readonly #queues = new Map<string, Item[]>();
  readonly #sizes = new Map<string | undefined, number>();
  #size = 0;

  /** Items of all tenants. */
  get size(): number {
    return this.#size;
  }

  /** Items of one. */
  sizeOf(tenant: string | undefined): number {
    return this.#sizes.get(tenant) ?? 0;
  }

  /** Adds one behind the others of its queue. */
  push(item: Item): void {
    this.#queueOf(item).push(item);
    this.#count(item, 1);
  }

  /** Puts items back before the others of their queues, in their order. */
  putBack(items: readonly Item[]): void {
    for (const item of items.toReversed()) {
      this.#queueOf(item).unshift(item);
      this.#count(item, 1);
    }
  }

  /** Takes the first item of the first queue in turn for which there is someone to serve it. */
  take<Server>(serverFor: (item: Item) => Server | undefined): { readonly item: Item; readonly server: Server } | undefined {
    for (const [name, queue] of this.#queues) {
      this.#moveChanged(name, queue);
      const [item] = queue;
      const server = item && serverFor(item);
      if (item === undefined || server === undefined) continue;
      queue.shift();
      this.#queues.delete(name);
      // Its next turn is after everyone else's.
      if (queue.length > 0) this.#queues.set(name, queue);
      this.#count(item, -1);
      return { item, server };
    }
    return undefined;
  }

  /** Takes everything. */
  takeAll(): readonly Item[] {
    const items = [...this.#queues.values()].flat();
    this.#queues.clear();
    this.#sizes.clear();
    this.#size = 0;
    return items;
  }

  #count({ tenant }: Item, change: 1 | -1): void {
    this.#size += change;
    const size = this.sizeOf(tenant) + change;
    if (size === 0) this.#sizes.delete(tenant);
    else this.#sizes.set(tenant, size);
  }

  #moveChanged(name: string, queue: Item[]): void {
    for (let [item] = queue; item !== undefined && item.queue !== name; [item] = queue) {
      queue.shift();
      this.#queueOf(item).push(item);
    }
    if (queue.length === 0) this.#queues.delete(name);
  }

  #queueOf(item: Item): Item[] {
    const known = this.#queues.get(item.queue);
    if (known !== undefined) return known;
    const queue: Item[] = [];
    this.#queues.set(item.queue, queue);
    return queue;
  }
}
