import { createIdentityService } from "latchkey";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";
import type { Storage } from "latchkey/storage";

// A process that removes a tenant and is killed on the way: `eraser.ts <place> <tenantId> <secret>`. A place is the name of a SQLite file, or
// the URL of a Postgres database with the schema as its fragment.

const [place = "", tenantId = "", secret = ""] = process.argv.slice(2);
const [connectionString = "", schema = ""] = place.split("#");
const storage: Storage = place.startsWith("postgres")
  ? postgresStorage({ connectionString, schema })
  : sqliteStorage({ filename: place });
const identity = await createIdentityService({ storage, secret, delivery: false });
await identity.tenants.remove({ tenantId });
await identity.close();
