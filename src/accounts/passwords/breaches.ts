import { hash } from "node:crypto";
import type { OperationCall } from "../../operations/operation.js";
import { lazily } from "../../shared/async.js";
import { foldText } from "../../shared/text.js";
import type { BreachDetection } from "../settings/tenant-settings.js";

/** What is known of a password: a user's `breachedPasswordStatus`. */
export type BreachStatus = "CommonPassword" | "None" | "PasswordOnly";

const loadList = lazily(() => import("./common-passwords.json", { with: { type: "json" } }));
const loadCommon = lazily(async () => new Set((await loadList()).default.passwords.split(" ")));

/** The kinds of refusals of a new password that is breached. */
export const breachErrors = { CommonPassword: "breachedCommonPassword", PasswordOnly: "breachedPasswordOnly" } as const;

/**
 * Looks a password up among the most common ones and, where the host names a range service and the mode counts the password alone,
 * among breached ones. A range service that fails or is slow counts as no finding: it must not keep anybody from logging in.
 */
export async function findBreach(
  call: OperationCall,
  { enabled, matchMode }: BreachDetection,
  password: string,
): Promise<BreachStatus> {
  if (!enabled) return "None";
  if ((await loadCommon()).has(foldText(password))) return "CommonPassword";
  const { breachRangeUrl: rangeUrl } = call.service.accounts;
  if (matchMode !== "High" || rangeUrl === undefined) return "None";
  return (await isInRange(call, rangeUrl, password)) ? "PasswordOnly" : "None";
}

/** The longest that a call waits for the range service, in milliseconds. */
const timeoutMs = 1_500;

// Five digits of the digest leave: the service answers some hundred others that begin alike, padded so that the size says nothing.
async function isInRange(call: OperationCall, rangeUrl: string, password: string): Promise<boolean> {
  const digest = hash("sha1", password, "hex").toUpperCase();
  const outcome = await call.service.http.send({
    method: "GET",
    url: `${rangeUrl}/${digest.slice(0, 5)}`,
    headers: { "add-padding": "true", "user-agent": "latchkey" },
    connectTimeoutMs: timeoutMs,
    timeoutMs,
    maxAnswerBytes: 1_048_576,
  });
  const isAnswered = outcome.kind === "answered" && outcome.status === 200;
  call.service.measurements.breachRanges[isAnswered ? "answered" : "failed"]++;
  if (isAnswered) return hasSuffix(outcome.body, digest.slice(5));
  call.service.runtime.logger.warn({ outcome: outcome.kind }, "the range service of breached passwords did not answer");
  return false;
}

// A padding line counts zero.
function hasSuffix(body: string, suffix: string): boolean {
  const line = body.split(/\r?\n/).find((one) => one.startsWith(`${suffix}:`));
  return line !== undefined && Number(line.slice(suffix.length + 1)) > 0;
}
