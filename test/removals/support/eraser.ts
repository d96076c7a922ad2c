import { createIdentityService } from "latchkey";
import { type Storage, tenantScope } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";
import { registrationsTable } from "../../../src/records/registrations/family.js";
import { boundStorage } from "../../support/bound-storage.js";

// A process that removes a tenant and kills itself on the way: `eraser.ts <place> <tenantId> <secret>`. A place is the name of a SQLite
// file, or the URL of a Postgres database with the schema as its fragment.

const [place = "", tenantId = "", secret = ""] = process.argv.slice(2);
const [connectionString = "", schema = ""] = place.split("#");
const storage: Storage = place.startsWith("postgres")
  ? postgresStorage({ connectionString, schema })
  : sqliteStorage({ filename: place });
let size = 0;

async function countLeft(): Promise<number> {
  return (await storage.findIds(tenantScope(tenantId), registrationsTable, "id", undefined)).length;
}

// Dies in the transaction after the first one that removed registrations, with what it has written and not committed.
const transaction: Storage["transaction"] = async (work, options) => {
  const left = await countLeft();
  size = Math.max(size, left);
  return storage.transaction(async (tx) => {
    const result = await work(tx);
    if (left < size) process.kill(process.pid, "SIGKILL");
    return result;
  }, options);
};

const identity = await createIdentityService({ storage: { ...boundStorage(storage), transaction }, secret, delivery: false });
await identity.tenants.remove({ tenantId });
await identity.close();
