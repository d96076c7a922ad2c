import type { LambdaKit } from "./lambda-kit.js";

/** Loads what runs a body by the rules of its kind, and sample arguments: no part of a start. `latchkey/testing` is made of it. */
export async function loadLambdaKit(): Promise<LambdaKit> {
  return (await import("./lambda-kit.js")).lambdaKit;
}
