/** Another secret: start with both, seal again what the old one sealed, and go on with the new one alone. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdentityService, type IdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";

const filename = join(tmpdir(), `rotate-secrets-${process.pid}.db`);
const oldSecret = "the secret until now, of at least 32 characters";
const newSecret = "the secret from now on, of at least 32 characters";

const start = (secret: string | readonly string[]): Promise<IdentityService> =>
  createIdentityService({ storage: sqliteStorage({ filename }), secret });

const before = await start(oldSecret);
const { apiKey } = await before.apiKeys.create({ apiKey: { key: "a-value-that-can-be-shown-again", retrievable: true } });
await before.close();

const identity = await start([newSecret, oldSecret]);
const { resealed, left } = await identity.secrets.rotate({
  onProgress: ({ table, resealed, total }) => console.log(`${table}: ${resealed} of ${total}`),
});
console.log({ resealed, left });
await identity.close();

const after = await start(newSecret);
console.log((await after.apiKeys.retrieve({ keyId: apiKey.id })).apiKey.key);
await after.close();

for (const end of ["", "-wal", "-shm"]) await rm(filename + end, { force: true });
