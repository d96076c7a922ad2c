import { timingSafeEqual } from "node:crypto";
import type { OperationCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { foldOneTimeCode } from "../../records/factors/one-time-code.js";
import { locationOfKey } from "../../records/factors/seal-factor.js";
import type { TwoFactorState } from "../../records/factors/two-factor-state.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { digestSecret } from "../../security/seal.js";
import { generate } from "../../sessions/one-time-ids/generate-id.js";
import { foldText } from "../../shared/text.js";
import { setUsed, stateOf } from "./user-factor.js";

/** The only purpose that a code is valid for. */
export type CodePurpose =
  | { readonly kind: "login"; readonly recordId: string }
  | { readonly kind: "removal"; readonly methodId: string }
  | { readonly kind: "method"; readonly method: "email" | "sms"; readonly to: string };

interface GivenCode {
  readonly code: string;
  readonly purpose: CodePurpose;
}

interface NewCode extends GivenCode {
  readonly methodId?: string | undefined;
  readonly tenant: Tenant;
}

interface StoredCode {
  readonly digest: string;
  readonly expirationInstant: number;
  readonly methodId?: string | undefined;
}

/** The maximum number of valid codes of a user: a new code drops the oldest. */
const maxCodes = 10;

/** Generates a code by the tenant's settings. */
export function createCode({ service }: OperationCall, tenant: Tenant): string {
  const { twoFactorOneTimeCodeIdGenerator } = accountSettingsOf(tenant).externalIdentifierConfiguration;
  return generate(service.runtime.random, twoFactorOneTimeCodeIdGenerator);
}

/**
 * The state of a user with an added code, for the tenant's time to live. Digests are sealed: readers of the storage cannot guess
 * codes.
 */
export function addCode(call: OperationCall, user: StoredRecord, { code, methodId, purpose, tenant }: NewCode): TwoFactorState {
  const { twoFactorOneTimeCodeIdTimeToLiveInSeconds: seconds } = accountSettingsOf(tenant).externalIdentifierConfiguration;
  const expirationInstant = call.service.runtime.clock() + seconds * 1_000;
  const added = { digest: digestOf(purpose, code), expirationInstant, methodId };
  return withCodes(call, user, [...readCodes(call, user).slice(1 - maxCodes), added]);
}

/** The state of a user after a code's use; undefined for a code that is wrong, expired, used, or for another purpose. */
export function useCode(call: OperationCall, user: StoredRecord, { code, purpose }: GivenCode): TwoFactorState | undefined {
  const digest = Buffer.from(digestOf(purpose, code));
  const codes = readCodes(call, user);
  const [used] = codes.filter((one) => timingSafeEqual(Buffer.from(one.digest), digest));
  if (used === undefined) return undefined;
  const state = withCodes(
    call,
    user,
    codes.filter((one) => one !== used),
  );
  return used.methodId === undefined ? state : { ...state, methods: setUsed(state.methods, used.methodId) };
}

function readCodes({ service }: OperationCall, user: StoredRecord): readonly StoredCode[] {
  const { codes } = stateOf(user);
  if (codes === undefined) return [];
  const stored = JSON.parse(service.sealer.open(codes, locationOfKey(user.id))) as readonly StoredCode[];
  return stored.filter(({ expirationInstant }) => expirationInstant > service.runtime.clock());
}

function withCodes({ service }: OperationCall, user: StoredRecord, codes: readonly StoredCode[]): TwoFactorState {
  const sealed = codes.length === 0 ? undefined : service.sealer.seal(JSON.stringify(codes), locationOfKey(user.id));
  return { ...stateOf(user), codes: sealed };
}

// Users type addresses in any case.
function digestOf(purpose: CodePurpose, code: string): string {
  const parts = Object.values(purpose).map((part) => foldText(part));
  return digestSecret(JSON.stringify([...parts, foldOneTimeCode(code)]));
}
