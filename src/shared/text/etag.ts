import { hash } from "node:crypto";

/**
 * The strong entity tag of a record that is shown as it is stored. A record's first version is a random number, so the tag of
 * one that was removed and made again with the same id is another.
 */
export function etagOfVersion(version: number): string {
  return `"${version}"`;
}

/** The strong entity tag of a representation: 160 bits of a digest of its text. Never equal to that of a version. */
export function etagOfText(json: string): string {
  return `"${hash("sha256", json, "base64url").slice(0, 27)}"`;
}
