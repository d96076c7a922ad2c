import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** The state of a load. */
export interface Loaded<Value> {
  /** The last loaded value; undefined before the first one. */
  readonly value: Value | undefined;
  /** The error of the last load. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Loads again. */
  reload(): void;
}

/** Loads the data of a screen, again on each change of a key. A new load aborts the previous one. */
export function useLoad<Value>(load: (signal: AbortSignal) => Promise<Value>, keys: readonly unknown[]): Loaded<Value> {
  const [state, setState] = useState<{ readonly value?: Value; readonly error?: unknown; readonly isLoading: boolean }>({
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    latest.current(controller.signal).then(
      (value) => !controller.signal.aborted && setState({ value, isLoading: false }),
      (error: unknown) => !controller.signal.aborted && setState((before) => ({ ...before, error, isLoading: false })),
    );
    return () => controller.abort();
  }, [...keys, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload };
}
