import { openValues, type Sealer, sealValues } from "../request/sealed-values.js";

/** What a browser remembers between the pages of one interaction, sealed: `amr` says what the user proved. */
export interface FlowState {
  /** What the user typed to log in. */
  readonly loginId?: string | undefined;
  /** How the user proved who he is so far, apart by blanks (RFC 8176). */
  readonly amr?: string | undefined;
  /** `no` where the session ends with the browser. */
  readonly remember?: string | undefined;
  /** The login that waits for a second factor, its methods in JSON, and the chosen one. */
  readonly twoFactorId?: string | undefined;
  readonly methods?: string | undefined;
  readonly methodId?: string | undefined;
  /** The right to choose another password, and why. */
  readonly changePasswordId?: string | undefined;
  readonly changeReason?: string | undefined;
  /** What is verified by a code. */
  readonly verificationId?: string | undefined;
  /** A login without a password whose code the user types. */
  readonly passwordlessCode?: string | undefined;
  /** The ids of the links that were mailed to finish this login, apart by blanks. */
  readonly passwordlessLinks?: string | undefined;
  /** `yes` where the login id is known, and the password is asked for. */
  readonly identified?: string | undefined;
  /** `yes` where the user chose to log in rather than one of the accounts of the browser. */
  readonly chosen?: string | undefined;
  /** `yes` where the provider that the application named was tried. */
  readonly hinted?: string | undefined;
  /** The provider that the user is at, and the state that it sends back. */
  readonly providerId?: string | undefined;
  readonly providerState?: string | undefined;
  /** An account at an identity provider that waits for its user, and the name of the provider. */
  readonly pendingLinkId?: string | undefined;
  readonly provider?: string | undefined;
  /** The user whose login waits for the offer of a passkey, how he logged in, when in epoch seconds, and what he proved. */
  readonly userId?: string | undefined;
  readonly authenticationType?: string | undefined;
  readonly authTime?: string | undefined;
  readonly proof?: string | undefined;
  /** The name of a text to show once. */
  readonly notice?: string | undefined;
  /** The reason that the text names. */
  readonly noticeReason?: string | undefined;
}

/** A cookie of a browser holds about 4,096 bytes. */
const maxLength = 3_600;

/** What seals the state, and the id of the interaction. */
export interface FlowSeal {
  readonly sealer: Sealer;
  readonly uid: string;
}

/** Reads the state of a cookie; an empty one where the service did not write it for the interaction. */
export function readFlowState(cookie: string | undefined, { sealer, uid }: FlowSeal): FlowState {
  if (cookie === undefined || cookie.length > maxLength) return {};
  const values = openValues(sealer, purposeOf(uid), cookie) ?? {};
  return Object.fromEntries(Object.entries(values).filter(([, member]) => typeof member === "string"));
}

const purposeOf = (uid: string): string => `flow ${uid}`;

/** The value of a cookie for a state; empty for an empty state, and for one that no cookie can hold. */
export function writeFlowState(state: FlowState, { sealer, uid }: FlowSeal): string {
  const members = Object.entries(state).filter(([, value]) => value !== undefined);
  const text = members.length === 0 ? "" : sealValues(sealer, purposeOf(uid), Object.fromEntries(members));
  return text.length > maxLength ? "" : text;
}
