/** Why a login id is verified or not (docs/reference/users.md#proof-of-login-ids). */
export const verifiedReasons = [
  "Completed",
  "Implicit",
  "Administrative",
  "Import",
  "Trusted",
  "Pending",
  "Skipped",
  "Disabled",
  "Unverifiable",
] as const;

/** Why a login id is verified or not. */
export type VerifiedReason = (typeof verifiedReasons)[number];

const proofs: ReadonlySet<VerifiedReason> = new Set(["Completed", "Implicit", "Administrative", "Import", "Trusted"]);

/** Whether a reason is a proof of the login id. */
export function isProof(reason: VerifiedReason): boolean {
  return proofs.has(reason);
}
