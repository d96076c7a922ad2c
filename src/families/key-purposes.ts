import { type BaseRecord, parseRecord } from "../operations/family/family.js";
import type { BuiltIn } from "../operations/family/family-row.js";
import {
  isFor,
  keyPurposesTable,
  namedKeysIn,
  recordKeyPurpose,
  recordPurposes,
  tokenPurposes,
  toPurpose,
} from "../operations/references/key-purposes.js";
import { findHolders } from "../operations/references/references.js";
import type { ServiceContext } from "../operations/service-context.js";
import { globalScope, type Table, type Transaction } from "../ports/storage.js";
import { applicationsTable } from "../records/applications/family.js";
import { entityTypesTable } from "../records/entity-types/family.js";
import { defaultSigningKeyId, keysTable } from "../records/keys/family.js";
import type { Key } from "../records/keys/schema.js";
import { tenantsTable } from "../records/tenants/family.js";
import { webhooksTable } from "../records/webhooks/family.js";
import { equalsFilter } from "../search/parse-criteria.js";

/** The tables of records that refer to keys, by their wrappers. */
const namers: Readonly<Record<string, Table>> = {
  application: applicationsTable,
  entityType: entityTypesTable,
  tenant: tenantsTable,
  webhook: webhooksTable,
};

/** Records the purposes of keys in a storage of an earlier version, which did not, and the purpose of the service's own key. */
export const recordedPurposes: BuiltIn = {
  name: "keyPurposes",
  async make(tx, service) {
    const call = { service, tx };
    await recordKeyPurpose(call, { holder: "services", tenantId: null }, { keyId: defaultSigningKeyId, purpose: "accessToken" });
    for (const [wrapper, table] of Object.entries(namers))
      for (const stored of await tx.find(globalScope, table, undefined))
        await recordPurposes(call, table, stored, namedKeysIn(wrapper, parseRecord<BaseRecord>(stored)));
  },
};

/** Warns of each key that signs both tokens and webhooks, which is only possible in a database of an earlier version. */
export async function warnOfTwoPurposes(tx: Transaction, { runtime }: ServiceContext): Promise<void> {
  const ofWebhooks = await tx.find(globalScope, keyPurposesTable, equalsFilter("purpose", "webhook"));
  for (const keyId of new Set(ofWebhooks.map((stored) => toPurpose(stored).keyId))) {
    const key = await findShared(tx, keyId);
    if (key === undefined) continue;
    const { id, kid, name, type } = key;
    const effect =
      type === "HMAC" ? "It signs and verifies no tokens; the default signing key signs instead." : "Give each its own key.";
    const message = `The key ${name} (${id}) is named for tokens and by a webhook. ${effect}`;
    tx.afterCommit(() => runtime.logger.warn({ keyId: id, kid }, message));
  }
}

async function findShared(tx: Transaction, keyId: string): Promise<Key | undefined> {
  const [forTokens] = await tx.find(globalScope, keyPurposesTable, isFor(keyId, tokenPurposes), { limit: 1 });
  const stored = forTokens && (await tx.retrieve(globalScope, keysTable, keyId));
  if (stored === undefined) return undefined;
  const key = parseRecord<Key>(stored);
  const wrappers = (await findHolders({ reader: tx }, keysTable, keyId)).map(({ wrapper }) => wrapper);
  const isForTokens = keyId === defaultSigningKeyId || wrappers.some((wrapper) => wrapper !== "webhook");
  // Receivers know an HMAC secret even after their webhook is removed, but never a private key.
  const isForWebhooks = key.type === "HMAC" || wrappers.includes("webhook");
  return isForTokens && isForWebhooks ? key : undefined;
}
