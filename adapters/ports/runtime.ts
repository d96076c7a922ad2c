/**
 * Ports for the runtime: time, timers, ids, random values, password hashes, logs and telemetry. The defaults are those of Node.
 */
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
