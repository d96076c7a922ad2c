/** One part for each pair of hexadecimal digits at the end of an id. */
const partCount = 256;

/**
 * A map by ids, in the order in which they came, that takes no long step however large it grows: a `Map` is copied as a whole when it outgrows
 * its room, and of this one only a small part is.
 */
export class IdMap<Value> {
  /** The place of each id in the lists. */
  readonly #parts: (Map<string, number> | undefined)[] = new Array(partCount);
  readonly #ids: string[] = [];
  readonly #values: Value[] = [];

  get size(): number {
    return this.#ids.length;
  }

  /** The ids, each where it first came. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** The values, each in the place of its id. */
  get values(): readonly Value[] {
    return this.#values;
  }

  has(id: string): boolean {
    return this.#parts[partOf(id)]?.has(id) === true;
  }

  get(id: string): Value | undefined {
    const place = this.#parts[partOf(id)]?.get(id);
    return place === undefined ? undefined : this.#values[place];
  }

  set(id: string, value: Value): void {
    const index = partOf(id);
    const part = this.#parts[index] ?? new Map<string, number>();
    this.#parts[index] = part;
    const place = part.get(id) ?? this.#ids.length;
    if (place === this.#ids.length) {
      part.set(id, place);
      this.#ids.push(id);
    }
    this.#values[place] = value;
  }
}

// The last digits of an id are random, its first ones often encode the time. Five bits of a code distinguish the digits.
function partOf(id: string): number {
  const last = id.charCodeAt(id.length - 1) & 31;
  return ((id.charCodeAt(id.length - 2) << 3) ^ last) & (partCount - 1);
}
