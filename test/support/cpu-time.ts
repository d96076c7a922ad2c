/** The CPU time of this process, in milliseconds: unlike wall-clock time, it does not depend on other processes. */
export function cpuTime(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1_000;
}
