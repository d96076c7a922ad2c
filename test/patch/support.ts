import { PatchError } from "../../src/json/json-value.js";

/** What `act` refuses with; anything but a PatchError fails the test. */
export function patchErrorOf(act: () => unknown): PatchError {
  try {
    act();
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

/** An object in an object, `levels` of them. */
export function nest(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

/** Frozen all the way down, so that a write to it throws. */
export function freezeDeeply<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeeply(member);
  return value;
}

/** All that Object.prototype, Object and Array.prototype hold, to be compared before and after an attack. */
export function snapshotPrototypes(): readonly unknown[] {
  return [Object.prototype, Array.prototype, Object, Function.prototype].flatMap((target) =>
    Reflect.ownKeys(target).map((key) => {
      const { value, get, set } = Object.getOwnPropertyDescriptor(target, key) ?? {};
      return [target, key, value, get, set, typeof value === "function" ? Reflect.ownKeys(value).length : 0];
    }),
  );
}
