import { memoryStorage } from "latchkey/memory";
import { withRunner } from "../../support/lambda-places.js";
import { type Start, startWorld } from "../../support/world.js";

/** Starts a service in memory that runs lambdas. */
export const start: Start = (options) => startWorld(memoryStorage(), { ...withRunner, ...options });
