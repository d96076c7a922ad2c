import { onTestFinished, vi } from "vitest";

/** Stops `performance.now` for one test, so that no cache expires on a slow machine. */
export function stopMonotonicClock(): void {
  const now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
}
