import { TtlCache } from "../../shared/ttl-cache.js";
import { DelayLimiter } from "./delay-limiter.js";
import { InFlightAttempts } from "./in-flight-attempts.js";
import type { ThrottleContext, ThrottleSettings } from "./limits.js";
import type { TrustedSource } from "./trusted-source.js";

/** What a service counts and slows attempts with, nothing of it in use yet. */
export function createThrottle(limits: ThrottleSettings): ThrottleContext {
  return { limits, waiting: new DelayLimiter(), turns: new InFlightAttempts(), known: new TtlCache<TrustedSource>() };
}
