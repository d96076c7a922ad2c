/** What the host supplies to each process: clock, ids, random values, log and telemetry. */
export type { Clock, IdGenerator, Logger, Random, Runtime } from "../../src/ports/runtime.js";
export type { Activity, ActivityEnd, Telemetry } from "../../src/ports/telemetry.js";
