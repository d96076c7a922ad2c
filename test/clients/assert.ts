/** @throws Error with the message where the condition does not hold. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
