import type { Runtime } from "../ports/runtime.js";

type Source = "clock" | "newId" | "random";

/** What a piece of work asked of its runtime, in order. */
export type RuntimeTrace = Readonly<Record<Source, unknown[]>>;

/** An empty tape. */
export function createRuntimeTrace(): RuntimeTrace {
  return { clock: [], newId: [], random: [] };
}

/** A runtime that notes on the tape what it answers, and nothing that was there before. */
export function recordRuntime(runtime: Runtime, tape: RuntimeTrace): Runtime {
  for (const values of Object.values(tape)) values.length = 0;
  const note = <T>(source: Source, value: T): T => {
    tape[source].push(value);
    return value;
  };
  return {
    ...runtime,
    clock: () => note("clock", runtime.clock()),
    newId: () => note("newId", runtime.newId()),
    random: (length) => note("random", runtime.random(length)),
  };
}

/** A runtime that answers what stands on the tape, so that the same work does the same again, and fresh values after its end. */
export function replayRuntime(runtime: Runtime, tape: RuntimeTrace): Runtime {
  const used = { clock: 0, newId: 0, random: 0 };
  const next = <T>(source: Source, fresh: () => T): T =>
    used[source] < tape[source].length ? (tape[source][used[source]++] as T) : fresh();
  return {
    ...runtime,
    clock: () => next("clock", runtime.clock),
    newId: () => next("newId", runtime.newId),
    random: (length) => next("random", () => runtime.random(length)),
  };
}
