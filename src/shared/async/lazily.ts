/** What is loaded when it is first asked for: a promise until it is there, and the value itself from then on. */
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
