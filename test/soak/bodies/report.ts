import type { Answered, Measured } from "./running-server.ts";

const maxAnswerBytes = 64 * 1_048_576;

/**
 * What is measured of a request, the most that it may be, and the CPU time of the process meanwhile. Where that is less than half of the
 * bound, other processes or the disk were the reason. Of the service's time nothing can be said: a database works elsewhere.
 */
const bounds = [
  { name: "service's own time, ms", most: 2_000, of: ({ serviceMs }: Measured) => serviceMs, cpuOf: () => 2_000 },
  {
    name: "block of the event loop, ms",
    most: 200,
    of: ({ blockMs }: Measured) => blockMs,
    cpuOf: ({ blockCpuMs }: Measured) => blockCpuMs,
  },
  { name: "delay of others, ms", most: 1_000, of: ({ delayMs }: Measured) => delayMs, cpuOf: ({ cpuMs }: Measured) => cpuMs },
] as const;

/** What takes time that is not the service's own, and how much of a bound it may break. */
const apart: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^(POST|PUT) \/api\/login|^POST \/api\/two-factor\/login/, "throttled"],
  [/^POST \/api\/webhook\/.*\/test/, "waits for a receiver"],
  [/^POST (\S+)\/lambda(\/\S+)?\/test/, "limits of lambdas"],
  [/^DELETE \/api\/tenant/, "removal of a tenant"],
];

interface Entry {
  readonly note: string;
  readonly answer: Answered;
  readonly measured: Measured;
}

/** Collects what became of requests, and tells whether all bounds were kept. */
export class Report {
  readonly #entries: Entry[] = [];
  readonly #broken: string[] = [];
  readonly #disturbed: string[] = [];
  readonly #isTimed: boolean;
  #last: { readonly note: string; readonly broken: ReadonlySet<string> } | undefined;

  constructor(isTimed: boolean) {
    this.#isTimed = isTimed;
  }

  /** Adds a request; answers whether it has to be sent again, since only what is too slow twice counts. */
  add(note: string, answer: Answered, measured: Measured): boolean {
    this.#entries.push({ note, answer, measured });
    const { bytes, start, status } = answer;
    if (status >= 500) this.#broken.push(`${status} ${note}: ${start}`);
    if (bytes > maxAnswerBytes) this.#broken.push(`${bytes} bytes answered ${note}`);
    if (measured.failures > 0) this.#broken.push(`${measured.failures} light requests failed beside ${note}`);
    if (!this.#isTimed) return false;
    const before = this.#last?.note === note ? this.#last.broken : undefined;
    const broken = new Set(
      bounds.filter((bound) => bound.of(measured) > bound.most && !isApart(bound.name, note)).map(({ name }) => name),
    );
    this.#last = { note, broken };
    if (before === undefined) return broken.size > 0;
    for (const { cpuOf, most, name } of bounds) {
      if (!broken.has(name) || !before.has(name)) continue;
      const list = cpuOf(measured) >= most / 2 ? this.#broken : this.#disturbed;
      list.push(`${name}, twice: ${describe({ note, answer, measured })}`);
    }
    return false;
  }

  /** Prints the worst of each measure and all that is broken; answers whether nothing is. */
  print(): boolean {
    for (const { name, of } of bounds)
      print(
        name,
        this.#worst((entry) => of(entry.measured)),
      );
    print(
      "bytes answered",
      this.#worst(({ answer }) => answer.bytes),
    );
    print("memory of the process, MiB", this.#worst(({ measured }) => measured.memoryMiB).slice(0, 1));
    const statuses = Map.groupBy(this.#entries, ({ answer }) => answer.status);
    console.info([...statuses].map(([status, { length }]) => `${length} × ${status}`).join(", "));
    console.info(
      this.#broken.length === 0 ? "All bounds were kept." : `${this.#broken.length} broken:\n${this.#broken.join("\n")}`,
    );
    return this.#broken.length === 0;
  }

  #worst(of: (entry: Entry) => number): readonly string[] {
    return this.#entries
      .toSorted((a, b) => of(b) - of(a))
      .slice(0, 10)
      .map((entry) => `${of(entry).toFixed(0).padStart(9)}  ${describe(entry)}`);
  }
}

function isApart(bound: string, note: string): boolean {
  return bound === bounds[0].name && apart.some(([pattern]) => pattern.test(note));
}

function describe({ answer, measured, note }: Entry): string {
  const { blockCpuMs, blockMs, cpuMs, delayMs, serviceMs } = measured;
  const ms = [serviceMs, cpuMs, blockMs, blockCpuMs, delayMs].map((time) => time.toFixed(0)).join(" ");
  return `${note}: ${answer.status}, ${answer.bytes} bytes [service, CPU, block, CPU of block, delay: ${ms} ms]`;
}

function print(title: string, lines: readonly string[]): void {
  console.info(`\n${title}\n${lines.join("\n")}`);
}
