import { installationsTable } from "../../families/index.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { globalScope, type RecordToStore, type StoredRecord, type Transaction } from "../../ports/storage.js";
import { sealedLocationOf } from "../../security/seal.js";

/** Data about an installation in its storage. Instants are epoch milliseconds. */
export interface Installation {
  readonly id: string;
  readonly insertInstant: number;
  /** When the kickstart ran; undefined before. */
  readonly kickstartInstant?: number | undefined;
  readonly builtIns?: readonly string[] | undefined;
  /** Whether a record ever had a setting without effect: starts then search for them. */
  readonly hasSettingsWithoutEffect?: boolean | undefined;
}

const sealedText = "latchkey";

/**
 * Returns the installation of a storage, created at the first start. Its sealed text verifies the secret at each start: otherwise
 * stored secrets would fail one by one, later.
 * @throws Error when none of the service's secrets opens it.
 */
export async function ensureInstallation(service: ServiceContext, tx: Transaction): Promise<Installation> {
  const [stored] = await tx.find(globalScope, installationsTable, undefined, { limit: 1 });
  if (stored === undefined) return createInstallation(service, tx);
  const installation = parseRecord<Installation>(stored);
  assertOpens(service, stored);
  return installation;
}

async function createInstallation(service: ServiceContext, tx: Transaction): Promise<Installation> {
  const { newId, clock } = service.runtime;
  const installation: Installation = { id: newId(), insertInstant: clock() };
  await tx.insert(globalScope, installationsTable, [
    toRecord(service, installation, { hidden: sealMark(service, installation), version: 1 }),
  ]);
  return installation;
}

function sealMark(service: ServiceContext, { id }: Installation): string {
  return toCanonicalJson({ sealed: service.sealer.seal(sealedText, sealedLocationOf("installations", id)) });
}

function assertOpens(service: ServiceContext, stored: StoredRecord): void {
  const sealed = parseHidden<{ readonly sealed: string }>(stored)?.sealed ?? "";
  try {
    service.sealer.open(sealed, sealedLocationOf("installations", stored.id));
  } catch (cause) {
    const advice =
      "Pass the secret that it was used with; after a change both, until identity.secrets.rotate() left nothing: secret: [new, old].";
    throw new Error(`The secret does not open what this storage keeps sealed. ${advice}`, { cause });
  }
}

/** The service and the transaction that writes. */
export type Writing = Pick<WriteCall, "service" | "tx">;

/** Stores changes of an installation. */
export async function changeInstallation(
  { service, tx }: Writing,
  id: string,
  changes: Partial<Omit<Installation, "id" | "insertInstant">>,
): Promise<void> {
  const stored = await tx.retrieve(globalScope, installationsTable, id);
  if (stored === undefined) throw new Error("The installation is gone.");
  const changed = { ...parseRecord<Installation>(stored), ...changes };
  await tx.update(
    globalScope,
    installationsTable,
    toRecord(service, changed, { hidden: stored.hidden, version: stored.version + 1 }),
  );
}

function toRecord(
  service: ServiceContext,
  installation: Installation,
  stored: Pick<RecordToStore, "hidden" | "version">,
): RecordToStore {
  const { id, insertInstant, kickstartInstant = null } = installation;
  const instants = { insertInstant, lastUpdateInstant: service.runtime.clock() };
  return { id, tenantId: null, ...stored, ...instants, json: toCanonicalJson(installation), columns: { kickstartInstant } };
}

/** Records that some record has a setting without effect. */
export async function recordSettingsInUse(service: ServiceContext, tx: Transaction): Promise<void> {
  const [stored] = await tx.find(globalScope, installationsTable, undefined, { limit: 1 });
  if (stored === undefined || parseRecord<Installation>(stored).hasSettingsWithoutEffect) return;
  await changeInstallation({ service, tx }, stored.id, { hasSettingsWithoutEffect: true });
}
