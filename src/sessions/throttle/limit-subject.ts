import { foldUsername } from "../../security/fold-username.js";
import { foldEmailAddress } from "../../shared/email-address.js";
import { foldPhoneNumber } from "../../shared/text.js";
import type { LoginIdInput } from "../subjects/flow-call.js";

/** Whom a limited call concerns: a user, or the login id that a caller typed. */
export type LimitSubject = LoginIdInput | { readonly userId: string };

const phoneShape = /^\+?\d+$/;

/** What limits count a subject as: one text for all spellings by which the same user is found. */
export function limitSubjectOf(subject: LimitSubject): string {
  if ("userId" in subject) return subject.userId;
  const { loginId, loginIdTypes = [] } = subject;
  const phone = loginIdTypes.includes("phoneNumber") ? foldPhoneNumber(loginId) : "";
  // A name that looks like an address is found as names are.
  const folded = foldEmailAddress(loginId);
  return phoneShape.test(phone) ? phone : foldUsername(folded);
}
