import { CanonicalText } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { removeRecords } from "../../operations/verbs/remove.js";
import { identityProviderLinks } from "../../people/identity-provider-links/rules.js";
import { breachFieldsOf } from "../../people/passwords/password-rules.js";
import { hasExternalPassword } from "../../people/passwords/policies.js";
import { presentUser } from "../../people/relations/present-user.js";
import type { HiddenUser } from "../../people/users/rules.js";
import { type StoredRecord, type Table, tenantScope } from "../../ports/storage.js";
import type { User } from "../../records/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { revokeTokensOfUser } from "../../sessions/ending/revoke-tokens.js";
import { endProofs, type ProofEnd, proofEndsOf } from "../../sessions/validity/proof.js";
import { passkeys } from "../passkeys/rules.js";

/** The credentials to revoke that others may have added before the first verification of a login id. */
export interface RevocationScope {
  /** Whether to revoke the password too; not when the owner chose it with this proof. */
  readonly password: boolean;
}

interface Ended {
  readonly fields: Partial<User>;
  readonly hidden: Partial<HiddenUser>;
}

/**
 * Revokes the credentials that others may have added before the owner of a login id verified it for the first time: links,
 * passkeys, sessions and the password, each with its events. A second factor stays: the owner has shown it.
 */
export async function revokeEarlierCredentials(call: WriteCall, stored: StoredRecord, access: RevocationScope): Promise<Ended> {
  const { id, tenantId } = stored;
  const within = { ...call, scope: tenantScope(tenantId ?? "") };
  const findOwn = (table: Table) => call.tx.find(within.scope, table, equalsFilter("userId", id));
  await removeRecords(within, identityProviderLinks, await findOwn(identityProviderLinks.table), () => undefined);
  await removeRecords(within, passkeys, await findOwn(passkeys.table), () => undefined);
  const shown = new CanonicalText(await presentUser(call, stored));
  await revokeTokensOfUser(call, { id, tenantId: tenantId ?? "", shown });
  const endsPassword = access.password && !hasExternalPassword(parseRecord<User>(stored));
  const ends: readonly ProofEnd[] = endsPassword ? ["sessions", "passkey", "password"] : ["sessions", "passkey"];
  const proofEnds = endProofs(proofEndsOf(stored), ends, call.service.runtime.clock());
  if (!endsPassword) return { fields: {}, hidden: { proofEnds } };
  const fields = { ...breachFieldsOf(undefined), passwordChangeRequired: false, passwordLastUpdateInstant: undefined };
  return { fields, hidden: { firstHashDigest: undefined, passwordHash: undefined, proofEnds } };
}
