import { openValues, type Sealer, sealValues } from "../request/sealed-values.js";

/** The sealed state of one interaction in the browser, between its pages. */
export interface FlowState {
  /** The login id as typed. */
  readonly loginId?: string | undefined;
  /** The completed authentication methods, separated by spaces (RFC 8176). */
  readonly amr?: string | undefined;
  /** `no` for a session that ends with the browser. */
  readonly remember?: string | undefined;
  /** The login that waits for a second factor, its methods in JSON, and the chosen one. */
  readonly twoFactorId?: string | undefined;
  readonly methods?: string | undefined;
  readonly methodId?: string | undefined;
  /** The id that permits a password change, and its reason. */
  readonly changePasswordId?: string | undefined;
  readonly changeReason?: string | undefined;
  /** The id of a verification by code. */
  readonly verificationId?: string | undefined;
  /** The id of a passwordless login with a typed code. */
  readonly passwordlessCode?: string | undefined;
  /** The ids of the mailed links that can finish this login, separated by spaces. */
  readonly passwordlessLinks?: string | undefined;
  /** `yes` when the login id is known and the password is missing. */
  readonly identified?: string | undefined;
  /** `yes` when the user chose to log in instead of using an account of the browser. */
  readonly chosen?: string | undefined;
  /** `yes` after the provider hint of the application was tried. */
  readonly hinted?: string | undefined;
  /** The current identity provider, and the state that it must return. */
  readonly providerId?: string | undefined;
  readonly providerState?: string | undefined;
  /** A pending link to an account at an identity provider, and the provider's name. */
  readonly pendingLinkId?: string | undefined;
  readonly provider?: string | undefined;
  /** The pending login during the passkey offer: its user, method, instant in epoch seconds, and proof. */
  readonly userId?: string | undefined;
  readonly authenticationType?: string | undefined;
  readonly authTime?: string | undefined;
  readonly proof?: string | undefined;
  /** The key of a text to show once. */
  readonly notice?: string | undefined;
  /** The reason in that text. */
  readonly noticeReason?: string | undefined;
}

/** Browsers limit a cookie to about 4,096 bytes. */
const maxLength = 3_600;

/** The sealer of the state, and the id of the interaction. */
export interface FlowSeal {
  readonly sealer: Sealer;
  readonly uid: string;
}

/** Reads the state from a cookie; empty for a cookie of another interaction or origin. */
export function readFlowState(cookie: string | undefined, { sealer, uid }: FlowSeal): FlowState {
  if (cookie === undefined || cookie.length > maxLength) return {};
  const values = openValues(sealer, purposeOf(uid), cookie) ?? {};
  return Object.fromEntries(Object.entries(values).filter(([, member]) => typeof member === "string"));
}

const purposeOf = (uid: string): string => `flow ${uid}`;

/** The cookie value of a state; empty for an empty state, and for one that exceeds the limit. */
export function writeFlowState(state: FlowState, { sealer, uid }: FlowSeal): string {
  const members = Object.entries(state).filter(([, value]) => value !== undefined);
  const text = members.length === 0 ? "" : sealValues(sealer, purposeOf(uid), Object.fromEntries(members));
  return text.length > maxLength ? "" : text;
}
