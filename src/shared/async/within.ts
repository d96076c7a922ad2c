/** What `work` resolves with, or `late` when that takes longer than so many milliseconds, which keep no process alive; rejects when `work` does in time. */
export function within<T>(milliseconds: number, work: Promise<T>, late: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(resolve, milliseconds, late).unref();
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
