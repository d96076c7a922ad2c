/** The first `limit` of the entries in order. Of many it keeps few at a time, so that a page does not cost the order of all. */
export function firstInOrder<T>(entries: Iterable<T>, compare: (a: T, b: T) => number, limit: number): T[] {
  if (limit === 0) return [];
  const most = 2 * limit + 100;
  let kept: T[] = [];
  let worst: T | undefined;
  for (const entry of entries) {
    if (worst !== undefined && compare(entry, worst) >= 0) continue;
    kept.push(entry);
    if (kept.length < most) continue;
    kept = kept.sort(compare).slice(0, limit);
    worst = kept.at(-1);
  }
  return kept.sort(compare).slice(0, limit);
}
