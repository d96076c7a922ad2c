import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** What came of loading. */
export interface Loaded<Value> {
  /** What was loaded last; undefined before. */
  readonly value: Value | undefined;
  /** What was thrown. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Loads again. */
  reload(): void;
}

/** Loads what a screen shows, again whenever one of the keys changes. */
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
