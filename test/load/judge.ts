/** What the server uses, in MiB: its heap after a collection, its real memory, and that of the processes that run lambdas. */
export interface Weight {
  readonly heap: number;
  readonly resident: number;
  readonly guests: number;
}

/** What a call is about. */
export type Kind = "read" | "write" | "search" | "login";

/** Milliseconds from the planned begin of calls to the end of their answers. */
export interface Latency {
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
}

/** A tenth of the run. */
export interface Tenth {
  readonly latencies: Readonly<Record<Kind, Latency>>;
  readonly weight: Weight;
}

/** Changes from the third to the last tenth, of the 99th percentile of each kind and of memory: 0.1 is a growth by a tenth. */
export type Trend = Readonly<Record<Kind | keyof Weight, number>>;

/** The first tenths fill caches and pools. */
const tenthsBefore = 2;

/**
 * The change between the first and the second half of the tenths that count, by their medians, so that one slow tenth is no trend. Throws
 * where fewer than four tenths count.
 */
export function findTrend(tenths: readonly Tenth[]): Trend {
  const counted = tenths.slice(tenthsBefore);
  if (counted.length < 4) throw new Error("A trend needs four tenths after the first two.");
  const half = Math.floor(counted.length / 2);
  const change = (read: (tenth: Tenth) => number): number =>
    median(counted.slice(half).map(read)) / median(counted.slice(0, half).map(read)) - 1;
  return {
    read: change(({ latencies }) => latencies.read.p99),
    write: change(({ latencies }) => latencies.write.p99),
    search: change(({ latencies }) => latencies.search.p99),
    login: change(({ latencies }) => latencies.login.p99),
    heap: change(({ weight }) => weight.heap),
    resident: change(({ weight }) => weight.resident),
    guests: change(({ weight }) => weight.guests),
  };
}

/** Counts what acknowledged calls caused and what the receiver got, by event type and the id of the record. */
export class EventLedger {
  readonly #open = new Map<string, number>();
  #expected = 0;

  /** An acknowledged call causes this event. */
  expect(about: string): void {
    this.#expected++;
    this.#add(about, 1);
  }

  /** The receiver accepted an event. It can arrive before the answer of the call. */
  receive(about: string): void {
    this.#add(about, -1);
  }

  /** How many events were expected, how many of them did not arrive, and how many arrived once more than expected. */
  count(): { readonly expected: number; readonly lost: number; readonly repeated: number } {
    const open = [...this.#open.values()];
    return {
      expected: this.#expected,
      lost: sumOf(open.filter((count) => count > 0)),
      repeated: -sumOf(open.filter((count) => count < 0)),
    };
  }

  #add(about: string, change: number): void {
    const count = (this.#open.get(about) ?? 0) + change;
    if (count === 0) this.#open.delete(about);
    else this.#open.set(about, count);
  }
}

/** The sum of numbers. */
export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error("There is no median of nothing.");
  return (low + high) / 2;
}
