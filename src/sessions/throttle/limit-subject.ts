import { foldEmailAddress } from "../../shared/email-address.js";
import { foldPhoneNumber, foldText } from "../../shared/text.js";
import type { LoginIdInput } from "../subjects/flow-call.js";

/** The subject of a limit: a user, or a login id as typed. */
export type LimitSubject = LoginIdInput | { readonly userId: string };

const phoneShape = /^\+?\d+$/;

/** The key of a limit's subject: the same for all spellings that find the same user. */
export function limitSubjectOf(subject: LimitSubject): string {
  if ("userId" in subject) return subject.userId;
  const { loginId, loginIdTypes = [] } = subject;
  const phone = loginIdTypes.includes("phoneNumber") ? foldPhoneNumber(loginId) : "";
  // A username may look like an email address, so both foldings apply.
  const folded = foldEmailAddress(loginId);
  return phoneShape.test(phone) ? phone : foldText(folded);
}
