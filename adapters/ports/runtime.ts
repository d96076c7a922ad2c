/** What the host supplies to each process: time, threads, names, ids, random values, log and telemetry. The defaults are those of Node. */
export type {
  CancelTimer,
  Clock,
  EventLoopMonitor,
  IdGenerator,
  Logger,
  PasswordHasher,
  Random,
  Runtime,
  Timers,
} from "../../src/ports/runtime.js";
export type { Activity, ActivityEnd, Telemetry } from "../../src/ports/telemetry.js";
export { nodeRuntime } from "../../src/shared/default-runtime.js";
