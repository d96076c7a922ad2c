import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { lookup } from "node:dns";
import { performance as eventLoop } from "node:perf_hooks";
import { setImmediate } from "node:timers";
import type { Clock, EventLoopMonitor, IdGenerator, Logger, Random, Runtime, Timers } from "../ports/runtime.js";

/** Writes warnings and errors to standard error: the logger of services that are given none. */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};

const fillBytes = 8_192;

/**
 * Makes UUIDs of version 7 (RFC 9562): the millisecond first, then 74 random bits. Records that are made one after the other
 * get adjacent ids, so that a database appends to its indexes instead of touching a page at random for each.
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

/** Node's own timers. Its turns are those of the real event loop, where the tests of a host have fake timers. */
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

/** Timers of a host whose callbacks see the async context of their caller, as those of Node do. */
function keepContext(timers: Timers): Timers {
  return {
    after: (milliseconds, callback, keepsAlive) => timers.after(milliseconds, AsyncLocalStorage.bind(callback), keepsAlive),
    every: (milliseconds, callback) => timers.every(milliseconds, AsyncLocalStorage.bind(callback)),
    nextTurn: () => timers.nextTurn(),
  };
}

/** Measures the event loop of this process. */
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

/** The runtime of a service: Node's own for what a host does not supply. */
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

/** Draws a number from 0 to 1, without 1. */
export function generateNumber(random: Random): number {
  const [a = 0, b = 0, c = 0, d = 0] = random(4);
  return (((a * 256 + b) * 256 + c) * 256 + d) / 2 ** 32;
}
