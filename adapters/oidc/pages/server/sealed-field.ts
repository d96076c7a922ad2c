import { createHash } from "node:crypto";
import { openValues, sealValues } from "../request/sealed-values.js";
import type { PageCall } from "./page-call.js";

/**
 * Encrypts what a page hands to the next one by a hidden field: under a secret of the service, so that the browser makes none of its own, for the
 * browser that the page is for and for the page that makes it, `purpose`.
 */
export function sealField(call: PageCall, purpose: string, values: object): string {
  return sealValues(call.host, boundTo(call, purpose), values);
}

/** Opens a hidden field; undefined for one that this service did not make for this browser and purpose, or that is older than an hour. */
export function openField(call: PageCall, purpose: string, sealed: string): Readonly<Record<string, unknown>> | undefined {
  return openValues(call.host, boundTo(call, purpose), sealed);
}

function boundTo({ parts }: PageCall, purpose: string): string {
  return `field ${createHash("sha256").update(parts.formToken.secret).digest("base64url")} ${purpose}`;
}
