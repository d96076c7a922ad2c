/**
 * Returns how far a clock of a service is ahead of the machine's, in whole seconds; 0 where it is the machine's. Libraries that read
 * the machine's clock are corrected by it.
 */
export function findClockDifference(clock: () => number): number {
  return Math.floor(clock() / 1_000) - Math.floor(Date.now() / 1_000);
}
