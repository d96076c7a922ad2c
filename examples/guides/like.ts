/** What the guides show as JSON stands in files of its own, so that it can be sent, and compared with what is answered. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** The file `json/<name>.json`. */
export function readJson<Shape>(name: string): Shape {
  return JSON.parse(readFileSync(new URL(`json/${name}.json`, import.meta.url), "utf8"));
}

/** Fails unless `actual` is what the file shows. `…` in a text stands for any characters; instants and durations may be others. */
export function assertLike(actual: unknown, name: string): void {
  assert.deepEqual(actual, fillIn(readJson(name), actual));
}

function fillIn(shown: unknown, actual: unknown, key = ""): unknown {
  if (typeof shown === "string" && typeof actual === "string") return isLike(shown, actual) ? actual : shown;
  if (typeof shown === "number" && typeof actual === "number" && /(Instant|Milliseconds)$/.test(key)) return actual;
  if (Array.isArray(shown) && Array.isArray(actual)) return shown.map((value, index) => fillIn(value, actual[index]));
  if (!isObject(shown) || !isObject(actual)) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, fillIn(value, actual[name], name)]));
}

function isLike(shown: string, actual: string): boolean {
  const parts = shown.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`).test(actual);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
