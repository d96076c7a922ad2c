import { hash } from "node:crypto";

/** The strong entity tag of a representation: equal texts have equal tags, and only they. */
export function etagOf(json: string): string {
  return `"${hash("sha256", json, "base64url").slice(0, 27)}"`;
}
