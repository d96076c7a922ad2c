/** The server that `npm start` runs; docs/operations.md lists the variables it reads. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import Koa from "koa";
import { createIdentityService, defaultApiEntityId, type IdentityService, type Plan } from "latchkey";
import { type AdminConsole, adminConsole } from "latchkey/console";
import { identityRouter } from "latchkey/express";
import { identityPlugin } from "latchkey/fastify";
import { identityMiddleware } from "latchkey/koa";
import { ldapConnector } from "latchkey/ldap";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler, stopOnSignals } from "latchkey/node";
import { oidc, openIdConnectLogins } from "latchkey/oidc";
import { simpleWebAuthn } from "latchkey/passkeys";
import type { Storage } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { saml, samlLogins } from "latchkey/saml";
import { scim } from "latchkey/scim";
import { sqliteStorage } from "latchkey/sqlite";
import { recordBroker } from "./record-broker.ts";
import { createLogger } from "./server-log.ts";
import { createMail } from "./server-mail.ts";
import { findMissingProxy, readCors, readProxies } from "./server-proxy.ts";
import { isLoopback, missingPublicUrl, toUrl } from "./server-url.ts";

type Framework = "express" | "fastify" | "koa" | "node";
const frameworks: readonly Framework[] = ["fastify", "express", "koa", "node"];

const { env } = process;
process.on("uncaughtException", giveUp);
const databaseUrl = env.DATABASE_URL ?? "sqlite:latchkey.db";
const host = env.HOST ?? "127.0.0.1";
const port = readPort(env.PORT ?? "9011");
assertKey(env.LATCHKEY_API_KEY);
const logger = createLogger(env.LATCHKEY_LOG_LEVEL, env.LATCHKEY_LOG_FORMAT);
const trustedProxies = readProxies(env.LATCHKEY_TRUSTED_PROXIES);
const framework = readFramework(env.LATCHKEY_FRAMEWORK ?? "fastify");
assertUrl(env.LATCHKEY_PUBLIC_URL);

// It listens first, since a free port is known then, and what starts the service needs its URL.
const server = createServer();
server.keepAliveTimeout = 65_000;
server.on("error", (error) => giveUp(new Error(toReason(error), { cause: error })));
server.on("request", answerStarting);
let close = async (): Promise<void> => undefined;
stopOnSignals(server, () => close(), { log: (message) => logger.error({}, message) });
server.listen(port, host);
await once(server, "listening");
const url = toUrl(host, (server.address() as AddressInfo).port);
// Issuers and links come from the URL at which people reach the service. On this machine, that is its own.
const publicUrl = env.LATCHKEY_PUBLIC_URL || (isLoopback(host) ? url : undefined);

const missingProxy = trustedProxies === undefined ? findMissingProxy(publicUrl, url) : undefined;
if (missingProxy !== undefined) logger.warn({}, missingProxy);

const startInstant = Date.now();
const apiEntityId = env.LATCHKEY_API_ENTITY_ID ?? defaultApiEntityId;

const identity = await createIdentityService({
  storage: openStorage(databaseUrl),
  secret: readSecrets(databaseUrl),
  apiKey: env.LATCHKEY_API_KEY ?? ((made) => console.log(`API key (shown once): ${made}`)),
  kickstart: env.LATCHKEY_KICKSTART,
  version: env.LATCHKEY_VERSION,
  plan: env.LATCHKEY_PLAN as Plan | undefined,
  publicUrl,
  trustedProxies,
  cors: readCors(env.LATCHKEY_CORS_ORIGINS),
  logger,
  breachDetection: {
    rangeUrl: env.LATCHKEY_BREACH_RANGE_URL || undefined,
    pairRangeUrl: env.LATCHKEY_BREACH_PAIR_RANGE_URL || undefined,
  },
  mail: createMail(env.LATCHKEY_SMTP_URL),
  broker: recordBroker,
  localMetrics: env.LATCHKEY_LOCAL_METRICS === "1",
  allowPrivateNetwork: env.LATCHKEY_ALLOW_PRIVATE_NETWORK === "1",
  names: readJson("LATCHKEY_NAMES"),
  apiEntityId,
  protocols: publicUrl === undefined ? [scim(), missingPublicUrl()] : [scim(), oidc(), saml()],
  passkeys: simpleWebAuthn(),
  connectors: [ldapConnector()],
  identityProviders: [openIdConnectLogins(), samlLogins()],
});
close = () => identity.close();

const { entity } = await identity.entities.retrieve({ entityId: apiEntityId });
if (entity.insertInstant >= startInstant) console.log(`API entity, the target of client credentials: ${entity.id}`);

if (env.LATCHKEY_PREVIOUS_SECRETS) {
  const { left, resealed } = await identity.secrets.rotate();
  console.log(`secrets sealed anew: ${resealed}; still sealed with a previous one: ${left}`);
}
// What stands in the public URL before the paths of this server, a proxy takes away.
const proxyPrefix = publicUrl === undefined ? undefined : new URL(publicUrl).pathname;
const admin = env.LATCHKEY_CONSOLE === "0" ? undefined : adminConsole(identity, { proxyPrefix });
server.on("request", await serve(framework, identity, admin));
server.off("request", answerStarting);
process.off("uncaughtException", giveUp);
console.log(`ready ${url}`);
if (admin !== undefined)
  showConsole(admin, `${identity.publicUrl ?? url}/admin`).catch((error: Error) => console.error(error.message));

// The first administrator opens the link; a restart makes another one, as long as there is none.
async function showConsole({ issueSetUp }: AdminConsole, url: string): Promise<void> {
  console.log(`console ${url}`);
  const setUp = await issueSetUp({ isStored: false });
  if (setUp !== undefined) console.log(`first administrator (works once): ${url}/set-up#${setUp.token}`);
}

// One line and no stack: the reader has to change a variable, not the code.
function giveUp(error: Error): void {
  console.error(`The server cannot start: ${error.message}`);
  process.exit(1);
}

function toReason({ code, message }: NodeJS.ErrnoException): string {
  if (code === "EADDRINUSE") return `Port ${port} of ${host} is in use. Stop what listens there, or set PORT to another one.`;
  if (code === "EACCES") return `Port ${port} is for privileged users. Set PORT to one from 1024 on.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `${host} is no address of this machine. Correct HOST.`;
  return message;
}

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error("PORT must be a number from 0 to 65535.");
  return Number(text);
}

// Who can reach the port can guess a short key.
function assertKey(key: string | undefined): void {
  if (key !== undefined && key.length < 32 && !isLoopback(host))
    throw new Error(`LATCHKEY_API_KEY must have at least 32 characters where HOST is ${host}.`);
}

function assertUrl(text: string | undefined): void {
  if (text && !URL.canParse(text)) throw new Error("LATCHKEY_PUBLIC_URL must be a URL such as https://id.example.com.");
}

function readFramework(name: string): Framework {
  const found = frameworks.find((framework) => framework === name);
  if (found === undefined) throw new Error("LATCHKEY_FRAMEWORK must be fastify, express, koa or node.");
  return found;
}

function openStorage(url: string): Storage {
  if (url === "memory:") return memoryStorage();
  if (url.startsWith("sqlite:")) return sqliteStorage({ filename: url.slice("sqlite:".length) });
  if (/^postgres(ql)?:/.test(url)) return postgresStorage({ connectionString: url });
  // What was given may hold a password.
  throw new Error("DATABASE_URL must be memory:, sqlite:FILE or postgres://….");
}

function readJson(name: string) {
  try {
    return env[name] === undefined ? undefined : JSON.parse(env[name]);
  } catch {
    throw new Error(`${name} must be JSON.`);
  }
}

// The first one seals; previous ones open what is still sealed with them.
function readSecrets(url: string): readonly string[] | undefined {
  const secret = env.LATCHKEY_SECRET ?? readSecret(url);
  if (secret === undefined && url !== "memory:")
    throw new Error("LATCHKEY_SECRET is missing. Set it to at least 32 random characters, the same at every start.");
  const previous = readJson("LATCHKEY_PREVIOUS_SECRETS") ?? [];
  if (!Array.isArray(previous)) throw new Error('LATCHKEY_PREVIOUS_SECRETS must be a JSON list, such as ["the old one"].');
  return secret === undefined ? undefined : [secret, ...previous];
}

// Made once and kept beside the database, readable by its owner alone.
function readSecret(url: string): string | undefined {
  if (!url.startsWith("sqlite:")) return undefined;
  const file = `${url.slice("sqlite:".length)}.secret`;
  // Of two first starts at once one writes it, and both read it.
  if (!existsSync(file)) writeNew(file, randomBytes(32).toString("base64url"));
  return readFileSync(file, "utf8").trim();
}

// Nothing but the service is served: any other path is answered 404 without a body, as the service's own missing records are.
async function serve(name: Framework, service: IdentityService, admin: AdminConsole | undefined): Promise<RequestListener> {
  const answer = nodeHandler(service);
  switch (name) {
    case "express":
      return express()
        .disable("x-powered-by")
        .use(identityRouter(service))
        .use("/admin", admin ?? answerExpressNotFound)
        .use(answerExpressNotFound);
    case "koa":
      return new Koa()
        .use(identityMiddleware(service))
        .use(admin === undefined ? answerKoaNotFound : identityMiddleware(admin, { basePath: "/admin" }))
        .use(answerKoaNotFound)
        .callback();
    case "node": {
      if (admin === undefined) return (req, res) => void answer(req, res);
      const answerConsole = nodeHandler(admin, { basePath: "/admin" });
      return (req, res) => void answerConsole(req, res, () => void answer(req, res));
    }
    case "fastify": {
      // A path that is not valid percent-encoding does not reach Fastify's routes.
      const app = fastify({ frameworkErrors: (_error, request, reply) => void answer(request.raw, reply.hijack().raw) });
      app.register(identityPlugin(service));
      if (admin !== undefined) app.register(identityPlugin(admin), { prefix: "/admin" });
      app.setNotFoundHandler((_request, reply) => reply.code(404).send());
      await app.ready();
      return app.routing;
    }
  }
}

// A caller that comes too early waits a moment.
function answerStarting(_req: unknown, res: ServerResponse): void {
  res.writeHead(503, { "retry-after": "1" }).end();
}

function answerExpressNotFound(_req: unknown, res: express.Response): void {
  res.status(404).end();
}

function answerKoaNotFound(context: Koa.Context): void {
  context.body = null;
  context.status = 404;
}
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
