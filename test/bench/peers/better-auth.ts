/**
 * better-auth behind node:http: its organization routes as mounted, and verifyApiKey of its api-key plugin. WAL,
 * synchronous=NORMAL, production mode, rate limits, telemetry and logs off, schema migrated first, 100k organizations.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { apiKey as apiKeyPlugin } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { organization } from "better-auth/plugins";
import Database from "better-sqlite3";
import { groupData, groupName } from "../harness/fixtures.ts";
import { listen } from "../harness/listen.ts";
import { announceReady, settings } from "../harness/subject.ts";

const database = new Database(join(settings.directory, "better-auth.db"));
database.pragma("journal_mode = WAL");
database.pragma("synchronous = NORMAL");

const auth = betterAuth({
  database,
  baseURL: "http://127.0.0.1",
  secret: "a-benchmark-secret-of-at-least-32-characters",
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  plugins: [organization(), apiKeyPlugin({ rateLimit: { enabled: false } })],
});

const seedOrganizations = (): void => {
  const insert = database.prepare("insert into organization (id, name, slug, createdAt, metadata) values (?, ?, ?, ?, ?)");
  const metadata = JSON.stringify(groupData);
  const createdAt = new Date().toISOString();
  database.transaction(() => {
    for (let index = 1; index < settings.groups; index++)
      insert.run(randomUUID(), groupName(index), groupName(index), createdAt, metadata);
  })();
};

const signUp = async (): Promise<{ cookie: string; userId: string }> => {
  const body = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
  const { headers, response } = await auth.api.signUpEmail({ body, returnHeaders: true });
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return { cookie, userId: response.user.id };
};

const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
seedOrganizations();
const { cookie, userId } = await signUp();
const created = await auth.api.createOrganization({
  body: { name: groupName(0), slug: groupName(0), metadata: groupData },
  headers: new Headers({ cookie }),
});
const { key } = await auth.api.createApiKey({ body: { userId } });
const routes = toNodeHandler(auth);

const server = createServer(async (request, response) => {
  if (request.url !== "/verify") return void routes(request, response);
  const { valid } = await auth.api.verifyApiKey({ body: { key: String(request.headers.authorization) } });
  response.writeHead(valid ? 200 : 401, { "content-type": "application/json" }).end(JSON.stringify({ valid }));
});

const credential = process.env.BENCH_CREDENTIAL === "api-key" ? key : cookie;
announceReady({ port: await listen(server), ids: [created.id], credential });
