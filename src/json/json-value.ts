import { isObject } from "../shared/is-object.js";
/** What JSON.parse can return. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object; its members are own properties, regardless of their names. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is an object as JSON knows it: neither an array nor an instance of a class, which JSON would not keep. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // A root prototype of any realm will do: hosts and test runners may build their objects in another one.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** An own member, so that `toString` is as absent as any other name until somebody stores it. */
export function getMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own member of any name. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  // Assigning to an inherited name would run the setter of `__proto__`, and throws where Object.prototype is frozen.
  if (key in object && !Object.hasOwn(object, key)) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}
