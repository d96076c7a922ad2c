/**
 * The members of answers that are proofs in themselves: ids and codes of mails and texts. In process, answers have them only with
 * `returnIds`, since hosts pass answers on to browsers. Over HTTP they are for API keys. Those of logins are missing: they go to
 * a user who has proved the password, and an id without its code verifies nothing.
 */
export interface OneTimeIds {
  readonly "logins.forgotPassword": "changePasswordId";
  readonly "passwordless.start": "code" | "oneTimeCode";
  readonly "registrations.create": "registrationVerificationId" | "registrationVerificationOneTimeCode";
  readonly "twoFactor.start": "code";
  readonly "users.create": IdOfUser;
  readonly "users.patch": IdOfUser;
  readonly "users.update": IdOfUser;
  readonly "verifications.resendEmail": IdOfVerification;
  readonly "verifications.resendRegistration": IdOfVerification;
  readonly "verifications.startIdentity": IdOfVerification;
}

type IdOfUser = "emailVerificationId" | "emailVerificationOneTimeCode" | "verificationIds";
type IdOfVerification = "oneTimeCode" | "verificationId";

type Names<Of extends string> = readonly Of[];

const ofUser: Names<IdOfUser> = ["emailVerificationId", "emailVerificationOneTimeCode", "verificationIds"];
const ofVerification: Names<IdOfVerification> = ["oneTimeCode", "verificationId"];

const members: { readonly [Name in keyof OneTimeIds]: Names<OneTimeIds[Name]> } = {
  "logins.forgotPassword": ["changePasswordId"],
  "passwordless.start": ["code", "oneTimeCode"],
  "registrations.create": ["registrationVerificationId", "registrationVerificationOneTimeCode"],
  "twoFactor.start": ["code"],
  "users.create": ofUser,
  "users.patch": ofUser,
  "users.update": ofUser,
  "verifications.resendEmail": ofVerification,
  "verifications.resendRegistration": ofVerification,
  "verifications.startIdentity": ofVerification,
};

/** The names of such members in a call's answer; empty for most calls. */
export function oneTimeIdsOf(name: string): readonly string[] {
  return Object.hasOwn(members, name) ? members[name as keyof OneTimeIds] : [];
}
