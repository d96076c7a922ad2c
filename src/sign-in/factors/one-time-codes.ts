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

/** What a code is good for, and nothing else. */
export type CodePurpose =
  | { readonly kind: "login"; readonly recordId: string }
  | { readonly kind: "removal"; readonly methodId: string }
  | { readonly kind: "method"; readonly method: "email" | "sms"; readonly to: string };

/** A code to remember, and the method that it was sent by. */
interface NewCode {
  readonly code: string;
  readonly purpose: CodePurpose;
  readonly methodId?: string | undefined;
}

interface StoredCode {
  readonly digest: string;
  readonly expirationInstant: number;
  readonly methodId?: string | undefined;
}

/** The most codes of a user that are good at a time: the oldest make room. */
const maxCodes = 10;

/** A code of the tenant's generator. */
export function createCode({ service }: OperationCall, tenant: Tenant): string {
  const { twoFactorOneTimeCodeIdGenerator } = accountSettingsOf(tenant).externalIdentifierConfiguration;
  return generate(service.runtime.random, twoFactorOneTimeCodeIdGenerator);
}

/** What a user hides once a code was made, for as long as the tenant says. Digests are sealed: who reads the storage cannot guess at them. */
export function addCode(
  call: OperationCall,
  user: StoredRecord,
  tenant: Tenant,
  { code, methodId, purpose }: NewCode,
): TwoFactorState {
  const { twoFactorOneTimeCodeIdTimeToLiveInSeconds: seconds } = accountSettingsOf(tenant).externalIdentifierConfiguration;
  const expirationInstant = call.service.runtime.clock() + seconds * 1_000;
  const added = { digest: digestOf(purpose, code), expirationInstant, methodId };
  return withCodes(call, user, [...readCodes(call, user).slice(1 - maxCodes), added]);
}

/** What a user hides once a code was used; undefined for a code that is wrong, expired, used, or good for something else. */
export function useCode(call: OperationCall, user: StoredRecord, purpose: CodePurpose, code: string): TwoFactorState | undefined {
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

// People type addresses in any case.
function digestOf(purpose: CodePurpose, code: string): string {
  const parts = Object.values(purpose).map((part) => foldText(part));
  return digestSecret(JSON.stringify([...parts, foldOneTimeCode(code)]));
}
