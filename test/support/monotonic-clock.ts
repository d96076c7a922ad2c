import { onTestFinished, vi } from "vitest";

/** Stops `performance.now` for one test, so that no cache expires in between, however slow the machine is. */
export function stopMonotonicClock(): void {
  const now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
}
