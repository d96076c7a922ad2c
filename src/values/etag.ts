import { hash } from "node:crypto";

/** Up to here, mixing the text in place costs a tenth of calling into the crypto library. */
const maxMixedLength = 4_096;

/** The strong entity tag of a representation: 64 bits or more of a digest of its text, and its length. */
export function etagOf(json: string): string {
  if (json.length > maxMixedLength) return `"${hash("sha256", json, "base64url").slice(0, 27)}"`;
  return `"${json.length.toString(36)}-${mixText(json)}"`;
}

// Two independent multiplicative mixes of 32 bits each. A tag tells versions of one record apart and guards nothing against
// whoever may write that record, so it need not withstand forgery.
function mixText(text: string): string {
  let left = 0xdeadbeef;
  let right = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    left = Math.imul(left ^ unit, 0x9e3779b1);
    right = Math.imul(right ^ unit, 0x5f356495);
  }
  left = Math.imul(left ^ (left >>> 16), 0x85ebca6b) ^ Math.imul(right ^ (right >>> 13), 0xc2b2ae35);
  right = Math.imul(right ^ (right >>> 16), 0x85ebca6b) ^ Math.imul(left ^ (left >>> 13), 0xc2b2ae35);
  return (left >>> 0).toString(36) + (right >>> 0).toString(36).padStart(7, "0");
}
