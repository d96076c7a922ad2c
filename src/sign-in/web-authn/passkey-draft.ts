import type { Draft } from "../../operations/family/family.js";
import { digestOfCredential } from "../../records/passkeys/family.js";
import type { ParsedPasskeyRequest, Passkey } from "../../records/passkeys/schema.js";

/** The generated fields of a record. */
interface RecordParts {
  readonly id: string;
  readonly now: number;
  readonly tenantId: string;
}

/** The record of a new passkey. */
export function toPasskeyDraft(
  { relyingPartyId = "", userHandle, ...given }: ParsedPasskeyRequest["credential"],
  { id, now, tenantId }: RecordParts,
): Draft<Passkey> {
  return draftOf({ ...given, id, insertInstant: now, lastUpdateInstant: now, relyingPartyId, tenantId }, userHandle);
}

/** The stored form of a passkey. */
export function draftOf(record: Passkey, userHandle: string | undefined): Draft<Passkey> {
  const { credentialId, userId } = record;
  const columns = { credentialDigest: digestOfCredential(credentialId), userId };
  return { columns, hidden: userHandle === undefined ? undefined : { userHandle, userId }, record };
}
