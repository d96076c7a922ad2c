import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { TwoFactorState } from "../../records/factors/two-factor-state.js";
import type { Proof } from "../../records/refresh-tokens/schema.js";
import type { User } from "../../records/users/schema.js";
import { digestSecret } from "../../security/seal.js";

/** The instants that ended earlier proofs of a user, by cause; absent for never. */
export interface ProofEnds {
  /** The email changed. */
  readonly email?: number | undefined;
  /** A two-factor method was removed. */
  readonly factor?: number | undefined;
  /** A passkey was removed. */
  readonly passkey?: number | undefined;
  /** The password changed. */
  readonly password?: number | undefined;
  /** The phone number changed. */
  readonly phoneNumber?: number | undefined;
  /**
   * All sessions ended: the user was deactivated, a reached expiry was changed, all tokens were revoked, or an action began to
   * prevent all logins.
   */
  readonly sessions?: number | undefined;
}

/** A cause that ends proofs. */
export type ProofEnd = keyof ProofEnds;

interface HiddenProofs {
  readonly firstHashDigest?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly proofEnds?: ProofEnds | undefined;
  readonly twoFactor?: TwoFactorState | undefined;
}

/** The recorded ends of a user's proofs. */
export function proofEndsOf(user: StoredRecord): ProofEnds {
  return parseHidden<HiddenProofs>(user)?.proofEnds ?? {};
}

/**
 * The proof of an authentication. `user` is the record that it was checked against: any later change ends the proof, however long
 * the check takes. So the instant comes from the record, not from a clock.
 */
export function proofOf(user: StoredRecord, by: string | readonly string[]): Proof {
  const { insertInstant } = parseRecord<User>(user);
  return { at: Math.max(insertInstant, latestOf(proofEndsOf(user))), by: [by].flat() };
}

/** Whether a check against one version of a user still holds for another: no proof has ended between them. */
export function hasValidProof(checked: StoredRecord, fresh: StoredRecord): boolean {
  return proofOf(checked, []).at === proofOf(fresh, []).at;
}

function latestOf(ends: ProofEnds): number {
  return Object.values<number | undefined>({ ...ends }).reduce<number>((latest, end = 0) => Math.max(latest, end), 0);
}

/** The ends after new causes at an instant: later than the instant and all earlier ends, so that no earlier proof survives. */
export function endProofs(before: ProofEnds, ends: readonly ProofEnd[], now: number): ProofEnds {
  if (ends.length === 0) return before;
  const since = Math.max(now, latestOf(before)) + 1;
  return { ...before, ...Object.fromEntries(ends.map((end) => [end, since])) };
}

/** Identifies a password of a user: the digest of its first hash, because a login may store a stronger hash. */
export function passwordDigestOf({ firstHashDigest, passwordHash = "" }: HiddenProofs = {}): string {
  return firstHashDigest ?? digestSecret(passwordHash);
}

/** The public and hidden parts of one version of a user. */
interface UserVersion {
  readonly record: User;
  readonly hidden: HiddenProofs | undefined;
}

function isReached({ expiry }: User, now: number): boolean {
  return expiry !== undefined && expiry <= now;
}

/** The ends of a user's proofs after a change. Every write of a user calls this, so that no change is missed. */
export function proofEndsAfter(before: UserVersion, after: UserVersion, now: number): ProofEnds | undefined {
  const [from, to] = [before.record, after.record];
  const methodsOf = ({ hidden }: UserVersion): readonly string[] => hidden?.twoFactor?.methods.map(({ id }) => id) ?? [];
  const kept = new Set(methodsOf(after));
  const ended: Readonly<Record<Exclude<ProofEnd, "passkey">, boolean>> = {
    email: from.email !== to.email,
    factor: methodsOf(before).some((id) => !kept.has(id)),
    password: passwordDigestOf(before.hidden) !== passwordDigestOf(after.hidden),
    phoneNumber: from.phoneNumber !== to.phoneNumber,
    // Sessions that ended with an expiry must not revive when the expiry is extended.
    sessions: (from.active && !to.active) || (from.expiry !== to.expiry && isReached(from, now)),
  };
  const ends = Object.entries(ended).flatMap(([end, isEnded]) => (isEnded ? [end as ProofEnd] : []));
  return ends.length === 0 ? after.hidden?.proofEnds : endProofs(after.hidden?.proofEnds ?? {}, ends, now);
}
