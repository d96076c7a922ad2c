/** Loads a value at the first call. Returns a promise until it is loaded, and then the value itself. */
export function lazily<T>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: { readonly value: T } | undefined;
  return () =>
    loaded === undefined
      ? load().then((value) => {
          loaded = { value };
          return value;
        })
      : loaded.value;
}
