import type { FieldErrorList } from "../../errors/identity-error.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import type { Reference } from "../family/family.js";
import { type KeyRequirement, keyRequirements, type StoredKey } from "../family/key-requirements.js";
import type { OperationCall } from "../operation.js";

/** The purpose of a key: to sign access tokens; to sign other tokens, or access tokens later; to sign webhook requests. */
export type KeyPurpose = "accessToken" | "token" | "webhook";

/** A member that refers to a key: the purpose of the key there, and its requirement. */
interface KeyPlace {
  /** Undefined where it signs neither tokens nor webhook requests. */
  readonly purpose?: KeyPurpose;
  /** Undefined where other members of the record decide: its references define it. */
  readonly needs?: KeyRequirement;
}

/** The members that refer to keys, by the path from the wrapper. */
export const keyPlaces: Readonly<Record<string, KeyPlace>> = {
  "application.jwtConfiguration.accessTokenKeyId": { purpose: "accessToken", needs: "signs" },
  "application.jwtConfiguration.idTokenKeyId": { purpose: "token", needs: "signs" },
  "application.samlv2Configuration.assertionEncryptionConfiguration.keyTransportEncryptionKeyId": { needs: "rsa" },
  "application.samlv2Configuration.defaultVerificationKeyId": { needs: "rsa" },
  "application.samlv2Configuration.keyId": { needs: "rsaPrivate" },
  "connector.sslCertificateKeyId": { needs: "certificate" },
  "entityType.jwtConfiguration.accessTokenKeyId": { purpose: "accessToken", needs: "signs" },
  "identityProvider.assertionDecryptionConfiguration.keyTransportDecryptionKeyId": {},
  "identityProvider.defaultKeyId": {},
  "identityProvider.keyId": {},
  "identityProvider.requestSigningKeyId": {},
  "tenant.jwtConfiguration.accessTokenKeyId": { purpose: "accessToken", needs: "signs" },
  "tenant.jwtConfiguration.idTokenKeyId": { purpose: "token", needs: "signs" },
  "webhook.signatureConfiguration.signingKeyId": { purpose: "webhook", needs: "signs" },
  "webhook.sslCertificateKeyId": { needs: "clientCertificate" },
};

/** A reference to a key. */
export type NamedKey = Pick<Reference, "id" | "needs" | "path" | "table">;

/**
 * Adds `[invalid]<path>` for each key that does not meet the requirement of its place. The check of references refuses keys that
 * do not exist.
 */
export async function addInvalidKeys(call: OperationCall, named: readonly NamedKey[], errors: FieldErrorList): Promise<void> {
  const table = call.service.tables.find((known) => known.name === "keys");
  if (named.length === 0 || table === undefined) return;
  const values = [...new Set(named.map(({ id }) => id))];
  const found = await call.reader.find(globalScope, table, { op: "in", column: "id", values });
  const known = new Map(found.map((stored) => [stored.id, toKey(stored)]));
  for (const { id, path, needs = keyPlaces[path]?.needs } of named) {
    const key = known.get(id);
    if (needs === undefined || key === undefined || keyRequirements[needs].fits(key)) continue;
    errors.add("invalid", path, `[${path}] must name ${keyRequirements[needs].text}.`);
  }
}

function toKey({ json }: StoredRecord): StoredKey {
  return JSON.parse(json) as StoredKey;
}
