import { createHash } from "node:crypto";
import { openValues, sealValues } from "../request/sealed-values.js";
import type { PageCall } from "./page-call.js";

/** Encrypts a hidden field for the next page, bound to the browser and to the page (`purpose`). */
export function sealField(call: PageCall, purpose: string, values: object): string {
  return sealValues(call.host, boundTo(call, purpose), values);
}

/** Decrypts a hidden field; undefined for a changed one, one of another browser or purpose, or one older than an hour. */
export function openField(call: PageCall, purpose: string, sealed: string): Readonly<Record<string, unknown>> | undefined {
  return openValues(call.host, boundTo(call, purpose), sealed);
}

function boundTo({ parts }: PageCall, purpose: string): string {
  return `field ${createHash("sha256").update(parts.formToken.secret).digest("base64url")} ${purpose}`;
}
