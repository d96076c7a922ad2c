import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { lookup } from "node:dns";
import { performance as eventLoop } from "node:perf_hooks";
import { setImmediate } from "node:timers";
import type { Clock, EventLoopMonitor, IdGenerator, Logger, Random, Runtime, Timers } from "../ports/runtime.js";

/** The default logger: writes warnings and errors to standard error. */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};

const fillBytes = 8_192;

/**
 * Generates UUIDs of version 7 (RFC 9562): the millisecond, then 74 random bits. Records of the same time get adjacent ids, so
 * a database appends to its indexes instead of touching a random page for each.
 */
export function createTimeOrderedIds(clock: Clock, random: Random): IdGenerator {
  let hex = "";
  let used = 0;
  const takeHex = (length: number): string => {
    if (used + length > hex.length) {
      hex = Buffer.from(random(fillBytes)).toString("hex");
      used = 0;
    }
    used += length;
    return hex.slice(used - length, used);
  };
  return () => {
    const instant = Math.max(0, Math.floor(clock())).toString(16).padStart(12, "0").slice(-12);
    const variant = "89ab"[Number.parseInt(takeHex(1), 16) % 4];
    return `${instant.slice(0, 8)}-${instant.slice(8)}-7${takeHex(3)}-${variant}${takeHex(3)}-${takeHex(12)}`;
  };
}

/** Node's timers. `nextTurn` uses the real event loop even if the tests of a host have fake timers. */
const nodeTimers: Timers = {
  after(milliseconds, callback, keepsAlive = false) {
    const timer = setTimeout(callback, milliseconds);
    if (!keepsAlive) timer.unref();
    return () => clearTimeout(timer);
  },
  every(milliseconds, callback) {
    const timer = setInterval(callback, milliseconds).unref();
    return () => clearInterval(timer);
  },
  nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
};

/** Preserves the async context of the caller in the callbacks of a host's timers, like Node's timers do. */
function keepContext(timers: Timers): Timers {
  return {
    after: (milliseconds, callback, keepsAlive) => timers.after(milliseconds, AsyncLocalStorage.bind(callback), keepsAlive),
    every: (milliseconds, callback) => timers.every(milliseconds, AsyncLocalStorage.bind(callback)),
    nextTurn: () => timers.nextTurn(),
  };
}

/** Measures the utilization of this process's event loop. */
function monitorEventLoop(): EventLoopMonitor {
  let before = eventLoop.eventLoopUtilization();
  return () => {
    const now = eventLoop.eventLoopUtilization();
    const { utilization } = eventLoop.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

type RuntimeOptions = { readonly [Name in keyof Runtime]?: Runtime[Name] | undefined };

/** Creates the runtime of a service, with Node's defaults for parts that the host does not supply. */
export function createRuntime(given: RuntimeOptions = {}): Runtime {
  const { clock = Date.now, random = randomBytes, timers } = given;
  return Object.freeze({
    clock,
    monotonic: given.monotonic ?? (() => performance.now()),
    timers: timers === undefined ? nodeTimers : keepContext(timers),
    monitorEventLoop: given.monitorEventLoop ?? monitorEventLoop,
    newId: given.newId ?? createTimeOrderedIds(clock, random),
    random,
    lookup: given.lookup ?? lookup,
    logger: given.logger ?? consoleLogger,
  });
}

/** The default runtime: Node's own clock, timers and random values. */
export const nodeRuntime: Runtime = createRuntime();

/** Returns a random number from 0 to 1, exclusive. */
export function generateNumber(random: Random): number {
  const [a = 0, b = 0, c = 0, d = 0] = random(4);
  return (((a * 256 + b) * 256 + c) * 256 + d) / 2 ** 32;
}
