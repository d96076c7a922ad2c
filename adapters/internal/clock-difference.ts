/**
 * Returns how far the service's clock is ahead of the machine's, in whole seconds. Corrects libraries that read the machine's
 * clock.
 */
export function findClockDifference(clock: () => number): number {
  return Math.floor(clock() / 1_000) - Math.floor(Date.now() / 1_000);
}
