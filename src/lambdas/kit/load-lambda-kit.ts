import { lazily } from "../../shared/async.js";
import type { LambdaKit } from "./lambda-kit.js";

/** Loads what runs a body by the rules of its kind, and sample arguments: no part of a start. `latchkey/testing` is made of it. */
export const loadLambdaKit: () => LambdaKit | Promise<LambdaKit> = lazily(
  async () => (await import("./lambda-kit.js")).lambdaKit,
);
