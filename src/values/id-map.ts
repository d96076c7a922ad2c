/** One part for each pair of hexadecimal digits at the end of an id. */
const partCount = 256;

/**
 * A map by ids, in the order in which they came, that takes no long step however large it grows: a `Map` is copied as a whole when it outgrows
 * its room, and of this one only a small part is.
 */
export class IdMap<Value> {
  readonly #parts: (Map<string, Value> | undefined)[] = new Array(partCount);
  readonly #ids: string[] = [];

  get size(): number {
    return this.#ids.length;
  }

  /** The ids, each where it first came. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  has(id: string): boolean {
    return this.#parts[partOf(id)]?.has(id) === true;
  }

  get(id: string): Value | undefined {
    return this.#parts[partOf(id)]?.get(id);
  }

  set(id: string, value: Value): void {
    const index = partOf(id);
    const part = this.#parts[index] ?? new Map<string, Value>();
    this.#parts[index] = part;
    if (!part.has(id)) this.#ids.push(id);
    part.set(id, value);
  }
}

// The last digits of an id are random, its first ones often tell the time. Five bits of a code tell the digits apart.
function partOf(id: string): number {
  const last = id.charCodeAt(id.length - 1) & 31;
  return ((id.charCodeAt(id.length - 2) << 3) ^ last) & (partCount - 1);
}
