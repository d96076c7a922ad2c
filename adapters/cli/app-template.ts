import { randomBytes, randomUUID } from "node:crypto";
import type { Manifest } from "./command/command.js";

/** The frameworks of `latchkey init`. */
export const frameworks = ["express", "fastify"] as const;

/** One of {@link frameworks}. */
export type Framework = (typeof frameworks)[number];

/** The options of a new app. */
export interface NewApp {
  readonly name: string;
  readonly framework: Framework;
  /** The package's manifest; the app depends on the same versions. */
  readonly manifest: Manifest;
}

const imports: Readonly<Record<Framework, string>> = {
  express: `import express from "express";
import { anonymousCaller, createIdentityService } from "latchkey";
import { expressGuards, identityRouter } from "latchkey/express";
import { stopOnSignals } from "latchkey/node";
import { sqliteStorage } from "latchkey/sqlite";`,
  fastify: `import fastify from "fastify";
import { anonymousCaller, createIdentityService } from "latchkey";
import { fastifyGuards, identityPlugin } from "latchkey/fastify";
import { stopOnSignals } from "latchkey/node";
import { sqliteStorage } from "latchkey/sqlite";`,
};

const createService = (framework: Framework): string => `
// .env has these values.
const { APPLICATION_ID: applicationId, LATCHKEY_SECRET, PORT = "3000" } = process.env;

// An error at the start prints its message alone.
const giveUp = ({ code, message }) => {
  console.error(code === "EADDRINUSE" ? \`Port \${PORT} is in use. Stop what listens there, or set PORT.\` : message);
  process.exit(1);
};
process.on("uncaughtException", giveUp);

const identity = await createIdentityService({
  storage: sqliteStorage({ filename: "latchkey.db" }),
  secret: LATCHKEY_SECRET,
  kickstart: "kickstart.json", // an API key, the application and its first user: made at the first start
});
const { requireRole, requireUser } = ${framework}Guards(identity);
`;

const routes: Readonly<Record<Framework, string>> = {
  express: `
const app = express();
app.use(identityRouter(identity)); // the HTTP API: /api/user, /api/group, …
app.use(express.json());

app.post("/login", async ({ body: { email, password } = {}, ip }, response) => {
  const { token } = await identity.logins.login({ loginId: email, password, applicationId, ipAddress: ip });
  if (token) response.json({ token });
  else response.status(403).json({ message: "This login needs another step." }); // such as a second factor
});
// As a visitor: the host's rights would say who has an account, and change any password.
app.post("/forgot-password", async ({ body: { email } = {}, ip }, response) => {
  await identity.as(anonymousCaller({ address: ip })).logins.forgotPassword({ loginId: email, applicationId });
  response.json({});
});
app.post("/change-password", async ({ body: { changePasswordId, password } = {}, ip }, response) => {
  await identity.as(anonymousCaller({ address: ip })).logins.changePassword({ changePasswordId, password });
  response.json({});
});
app.get("/me", requireUser({ applicationId }), ({ identity: caller }, response) => {
  response.json({ id: caller.userId, roles: caller.roles });
});
app.get("/users", requireRole("admin", { applicationId }), async (_request, response) => {
  const { users } = await identity.users.search({ search: { queryString: "*" } });
  response.json(users.map(({ email }) => email));
});
app.use((error, _request, response, _next) => {
  if (!error.status) console.error(error);
  response.status(error.status ?? 500).json({ message: error.status ? error.message : "Something went wrong." });
});

const server = app.listen(Number(PORT), "127.0.0.1", (error) => {
  if (error) throw error;
  process.off("uncaughtException", giveUp);
  console.log(\`http://127.0.0.1:\${server.address().port}\`);
});
stopOnSignals(server, () => identity.close());
`,
  fastify: `
const app = fastify();
app.register(identityPlugin(identity)); // the HTTP API: /api/user, /api/group, …

app.post("/login", async ({ body: { email, password } = {}, ip }, reply) => {
  const { token } = await identity.logins.login({ loginId: email, password, applicationId, ipAddress: ip });
  if (token) return { token };
  return reply.code(403).send({ message: "This login needs another step." }); // such as a second factor
});
// As a visitor: the host's rights would say who has an account, and change any password.
app.post("/forgot-password", async ({ body: { email } = {}, ip }) => {
  await identity.as(anonymousCaller({ address: ip })).logins.forgotPassword({ loginId: email, applicationId });
  return {};
});
app.post("/change-password", async ({ body: { changePasswordId, password } = {}, ip }) => {
  await identity.as(anonymousCaller({ address: ip })).logins.changePassword({ changePasswordId, password });
  return {};
});
app.get("/me", { onRequest: requireUser({ applicationId }) }, async ({ identity: caller }) => ({
  id: caller.userId,
  roles: caller.roles,
}));
app.get("/users", { onRequest: requireRole("admin", { applicationId }) }, async () => {
  const { users } = await identity.users.search({ search: { queryString: "*" } });
  return users.map(({ email }) => email);
});
app.setErrorHandler((error, _request, reply) => {
  const status = error.status ?? error.statusCode ?? 500;
  if (status >= 500) console.error(error);
  reply.code(status).send({ message: status < 500 ? error.message : "Something went wrong." });
});
app.addHook("onClose", () => identity.close());

stopOnSignals(app.server, () => app.close());
console.log(await app.listen({ port: Number(PORT), host: "127.0.0.1" }));
process.off("uncaughtException", giveUp);
`,
};

const email = "admin@example.com";

function toKickstart(name: string): object {
  const roles = [{ name: "user", isDefault: true }, { name: "admin" }];
  const user = { email, password: "#{ENV.ADMIN_PASSWORD}" };
  const registration = { applicationId: "#{ENV.APPLICATION_ID}", roles: ["admin"] };
  return {
    apiKeys: [{ key: "#{ENV.LATCHKEY_API_KEY}", name: "First key" }],
    requests: [
      { method: "POST", url: "/api/application/#{ENV.APPLICATION_ID}", body: { application: { name, roles } } },
      { method: "POST", url: "/api/user/registration", body: { user, registration } },
    ],
  };
}

function toManifest({ framework, name, manifest: { peerDependencies, version } }: NewApp): object {
  // The newest version that the package supports.
  const newest = (peer: string): string | undefined => peerDependencies[peer]?.replace(/^.*\|\| */, "");
  return {
    name,
    private: true,
    type: "module",
    engines: { node: ">=22.12" },
    scripts: { start: "node --env-file=.env app.js" },
    dependencies: {
      "better-sqlite3": newest("better-sqlite3"),
      [framework]: newest(framework),
      latchkey: `^${version}`,
    },
  };
}

function toReadme(name: string): string {
  return `# ${name}

\`\`\`sh
npm install
npm start
\`\`\`

The app prints its address. \`.env\` has the password of ${email} and the API key. Keep that file to yourself.

\`\`\`sh
curl http://127.0.0.1:3000/login -H 'Content-Type: application/json' -d '{"email":"${email}","password":"…"}'
curl http://127.0.0.1:3000/me -H 'Authorization: Bearer …'
curl http://127.0.0.1:3000/api/group -H 'Authorization: …'
\`\`\`

The first call returns a \`token\`, the second one takes it. The third one is the HTTP API and takes the API key.

- \`app.js\`: your routes. \`identity\` has every call of the API in process.
- \`kickstart.json\`: what the first start makes. To start afresh, remove \`latchkey.db\`, \`latchkey.db-wal\` and \`latchkey.db-shm\`.
`;
}

/** The files of a new app: names and texts. `.env` has newly generated secrets. */
export function filesOf(app: NewApp): ReadonlyMap<string, string> {
  const secret = (bytes: number): string => randomBytes(bytes).toString("base64url");
  const values = {
    APPLICATION_ID: randomUUID(),
    ADMIN_PASSWORD: secret(12),
    LATCHKEY_API_KEY: secret(32),
    LATCHKEY_SECRET: secret(32),
  };
  const toJson = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
  return new Map([
    ["package.json", toJson(toManifest(app))],
    ["app.js", `${imports[app.framework]}\n${createService(app.framework)}${routes[app.framework]}`],
    ["kickstart.json", toJson(toKickstart(app.name))],
    [
      ".env",
      Object.entries(values)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
    ],
    [".gitignore", "node_modules\n.env\nlatchkey.db*\n"],
    ["README.md", toReadme(app.name)],
  ]);
}
