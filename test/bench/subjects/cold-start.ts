/** Goal 30, our side: the same two with latchkey mounted, on a database made by an earlier start. Packages only, as it runs from a copy. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fastify } from "fastify";
import { createIdentityService } from "latchkey";
import { identityPlugin } from "latchkey/fastify";
import { sqliteStorage } from "latchkey/sqlite";

const directory = String(process.env.BENCH_DIR);
const idFile = join(directory, "group-id");
const apiKey = "bench-bootstrap-key-0123456789abcdef";
const secret = "a-benchmark-secret-of-at-least-32-characters";
const storage = sqliteStorage({ filename: join(directory, "latchkey.db") });
const identity = await createIdentityService({ storage, secret, apiKey });
if (!existsSync(idFile)) writeFileSync(idFile, (await identity.groups.create({ group: { name: "Editors", data: {} } })).group.id);
const app = fastify();
app.register(identityPlugin(identity));

const address = await app.listen({ port: 0, host: "127.0.0.1" });
console.log(`ready ${address} ${readFileSync(idFile, "utf8")} ${apiKey}`);
