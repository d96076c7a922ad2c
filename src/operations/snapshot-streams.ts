import { generalError } from "../errors/identity-error.js";
import type { CancelTimer, Timers } from "../ports/runtime.js";
import { type Storage, type StorageReader, StorageUnavailable } from "../ports/storage.js";
import type { ByteStream } from "../ports/transport.js";

/** The most streams at once: each holds a snapshot, and on Postgres a connection. */
const maxStreams = 2;

/** The longest time for a client to read one part, and all parts, in milliseconds: a snapshot prevents vacuuming. */
const maxIdleMs = 60_000;
const maxMs = 3_600_000;

/** The streams from snapshots of the storage, of one service. */
export class SnapshotStreams {
  readonly #timers: Timers;
  readonly #ends = new Set<() => void>();
  readonly #endings = new Set<Promise<void>>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /**
   * Streams the parts that `read` makes of one state of the storage. Calls `onEnd` between the end of the snapshot and that of
   * the stream. Resolves with the first part; later failures, also of `onEnd`, fail the stream.
   * @throws IdentityError 503 when too many streams run.
   */
  async start(
    storage: Storage,
    read: (reader: StorageReader) => AsyncGenerator<Uint8Array>,
    onEnd: () => Promise<void>,
  ): Promise<ByteStream> {
    if (this.#ends.size >= maxStreams)
      throw generalError("overloaded", "Too many exports run. Try again later.", { headers: { "retry-after": "10" } });
    const over = Promise.withResolvers<void>();
    const state: StreamState = { isOver: false, timers: this.#timers, end: () => endState(state, over.resolve) };
    this.#ends.add(state.end);
    const opened = Promise.withResolvers<StorageReader>();
    const running = storage.snapshot((reader) => {
      opened.resolve(reader);
      return over.promise;
    });
    const released = running.catch(opened.reject).finally(() => this.#ends.delete(state.end));
    const ended = released.then(onEnd);
    // A reader that disconnects does not get this error.
    const ending = ended.catch(() => undefined).finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
    const parts = withinTime(read(await opened.promise), state);
    return follow(await parts.next(), parts, { released, ended });
  }

  /** Ends all streams: they fail. Waits for their `onEnd`. */
  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await Promise.all(this.#endings);
  }
}

interface StreamState {
  isOver: boolean;
  readonly timers: Timers;
  readonly end: () => void;
}

function endState(state: StreamState, resolve: () => void): void {
  state.isOver = true;
  resolve();
}

async function* withinTime(parts: AsyncGenerator<Uint8Array>, state: StreamState): AsyncGenerator<Uint8Array, undefined> {
  const cancelLimit = state.timers.after(maxMs, state.end);
  let cancelIdle: CancelTimer | undefined;
  const assertOpen = (): void => {
    if (state.isOver) throw new StorageUnavailable("The export has ended: the service closes, or the client reads too slowly.");
  };
  try {
    for await (const part of parts) {
      assertOpen();
      cancelIdle = state.timers.after(maxIdleMs, state.end);
      yield part;
      cancelIdle();
      assertOpen();
    }
  } finally {
    cancelIdle?.();
    cancelLimit();
    state.end();
  }
}

async function* follow(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
  { released, ended }: { readonly released: Promise<void>; readonly ended: Promise<void> },
): ByteStream & AsyncGenerator<Uint8Array> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
    await ended;
  } finally {
    await rest.return(undefined);
    // A reader that disconnects may reconnect at once: its slot is free by then.
    await released;
  }
}
