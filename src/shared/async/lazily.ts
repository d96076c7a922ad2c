/** A value that is made at the first call. Returns a promise until it is there, and then the value itself. */
export interface Lazy<T> {
  (): T | Promise<T>;
  /** The value or its promise if there was a call before; undefined otherwise. Makes nothing. */
  readonly begun: () => T | Promise<T> | undefined;
}

/** Makes a value at the first call, once. When that fails, the next call tries again. */
export function lazily<T>(load: () => Promise<T>): Lazy<T> {
  let begun: { readonly value: T | Promise<T> } | undefined;
  const begin = (): Promise<T> => {
    const loading = load().then(
      (value) => {
        begun = { value };
        return value;
      },
      (error: unknown) => {
        begun = undefined;
        throw error;
      },
    );
    begun = { value: loading };
    return loading;
  };
  return Object.assign(() => (begun === undefined ? begin() : begun.value), { begun: () => begun?.value });
}
