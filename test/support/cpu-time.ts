/** The CPU time that this process took so far, in milliseconds. Other than that of a clock it does not depend on what else runs. */
export function cpuTime(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1_000;
}
