import { hash } from "node:crypto";
import type { FieldErrorKind } from "../../errors/codes.js";
import type { OperationCall } from "../../operations/operation.js";
import type { BreachDetection } from "../../records/settings/tenant-settings.js";
import type { User } from "../../records/users/schema.js";
import { normalizePassword } from "../../security/password-hashes/normalize-password.js";
import { lazily } from "../../shared/async.js";
import { foldText } from "../../shared/text.js";

/** A user's `breachedPasswordStatus`. */
export type BreachStatus = NonNullable<User["breachedPasswordStatus"]>;

const loadList = lazily(() => import("./common-passwords.json", { with: { type: "json" } }));
const loadCommon = lazily(async () => new Set((await loadList()).default.passwords.split(" ")));

/** The field errors for a breached new password. */
export const breachErrors: Readonly<Record<Exclude<BreachStatus, "None">, FieldErrorKind>> = {
  CommonPassword: "breachedCommonPassword",
  ExactMatch: "breachedExactMatch",
  PasswordOnly: "breachedPasswordOnly",
  SubAddressMatch: "breachedSubAddressMatch",
};

/** A password, and the login ids that it may have been breached with. */
export interface CheckedPassword {
  readonly password: string;
  readonly user: Pick<Partial<User>, "email" | "username">;
}

/**
 * Looks a password up among the most common ones and, where the host has range services, among breached ones: with a login id in
 * the service for pairs, and alone in the other, depending on the mode. A failing or slow range service counts as no finding: it
 * must not prevent logins.
 */
export async function findBreach(
  call: OperationCall,
  { enabled, matchMode }: BreachDetection,
  given: CheckedPassword,
): Promise<BreachStatus> {
  if (!enabled) return "None";
  const checked = { ...given, password: normalizePassword(given.password) };
  if ((await loadCommon()).has(foldText(checked.password))) return "CommonPassword";
  const lookups = lookupsOf(call, matchMode, checked);
  // In parallel, so that a login waits only for the slowest.
  const isFound = await Promise.all(lookups.map(({ text, url }) => isInRange(call, url, text)));
  return lookups.find((_lookup, index) => isFound[index])?.status ?? "None";
}

/** A text to look up in a range service, and the status that a match means. */
interface Lookup {
  readonly status: BreachStatus;
  readonly text: string;
  readonly url: string;
}

// The most specific status first.
function lookupsOf({ service }: OperationCall, mode: BreachDetection["matchMode"], checked: CheckedPassword): readonly Lookup[] {
  const { breachPairRangeUrl, breachRangeUrl } = service.accounts;
  const { password, user } = checked;
  const toPairs = (status: BreachStatus, loginIds: readonly (string | undefined)[]): readonly Lookup[] =>
    loginIds.flatMap((loginId) => {
      if (breachPairRangeUrl === undefined || loginId === undefined) return [];
      return [{ status, text: `${loginId.toLowerCase()}:${password}`, url: breachPairRangeUrl }];
    });
  return [
    ...toPairs("ExactMatch", [user.email, user.username]),
    ...(mode === "Low" ? [] : toPairs("SubAddressMatch", [withoutSubAddress(user.email)])),
    ...(mode === "High" && breachRangeUrl !== undefined
      ? [{ status: "PasswordOnly", text: password, url: breachRangeUrl } as const]
      : []),
  ];
}

/** The base address of one with a sub-address (RFC 5233), such as `ann+shop@example.com`; undefined for any other. */
function withoutSubAddress(email: string | undefined): string | undefined {
  const [, name, domain] = /^([^+@]+)\+[^@]*(@[^@]+)$/.exec(email ?? "") ?? [];
  return name === undefined ? undefined : `${name}${domain}`;
}

/** The longest wait for the range service, in milliseconds. */
const timeoutMs = 1_500;

// Only five digits of the digest leave: the service answers some hundred others with that prefix, padded so that the size reveals
// nothing.
async function isInRange(call: OperationCall, rangeUrl: string, text: string): Promise<boolean> {
  const digest = hash("sha1", text, "hex").toUpperCase();
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

// A padding line has the count zero.
function hasSuffix(body: string, suffix: string): boolean {
  const line = body.split(/\r?\n/).find((one) => one.startsWith(`${suffix}:`));
  return line !== undefined && Number(line.slice(suffix.length + 1)) > 0;
}
