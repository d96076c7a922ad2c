// What each exported factory says to options that are misspelt, of a wrong type or inherited. The names are those that its error lists.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createIdentityService, type IdentityServiceOptions, verifyWebhook } from "latchkey";
import { kafkaBroker, natsBroker, natsServerBroker } from "latchkey/brokers";
import { connect, createClient } from "latchkey/client";
import { adminConsole } from "latchkey/console";
import * as express from "latchkey/express";
import * as fastify from "latchkey/fastify";
import * as fetchAdapter from "latchkey/fetch";
import * as koa from "latchkey/koa";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler, stopOnSignals } from "latchkey/node";
import { nodemailerTransport } from "latchkey/nodemailer";
import { createPages, oidc, openIdConnectLogins } from "latchkey/oidc";
import { openTelemetry } from "latchkey/opentelemetry";
import { simpleWebAuthn } from "latchkey/passkeys";
import { postgresStorage } from "latchkey/postgres";
import { isolatedVmRunner, nodeVmRunner, quickJsRunner } from "latchkey/runners";
import { sqliteStorage } from "latchkey/sqlite";
import { createLambdaHarness, createTestIdentity } from "latchkey/testing";
import { expect, test } from "vitest";
import { requirement } from "../support/requirement.js";

type Make = (options: never) => unknown;

const service = { handle: async () => undefined, authorize: async () => undefined, paths: ["/api"], clock: Date.now } as never;
const empty = (): undefined => undefined;
const create = (options: object): Promise<unknown> => createIdentityService(options as IdentityServiceOptions);
const group =
  (name: string): Make =>
  (options) =>
    create({ storage: memoryStorage(), [name]: options });

/** How each is made, and what it needs beside the option that is tried. */
const factories: Readonly<Record<string, readonly [make: Make, needed: object]>> = {
  createIdentityService: [create, { storage: memoryStorage() }],
  "option breachDetection": [group("breachDetection"), {}],
  "option cookies": [group("cookies"), {}],
  "option cors": [group("cors"), { origins: "*" }],
  "option delivery": [group("delivery"), {}],
  "option importJobs": [group("importJobs"), {}],
  "option lambdas": [group("lambdas"), {}],
  "option lambdas.limits": [(limits) => create({ storage: memoryStorage(), lambdas: { limits } }), {}],
  "option names": [group("names"), {}],
  "option passwordHashing": [group("passwordHashing"), {}],
  "option passwordStrength": [group("passwordStrength"), { score: () => 4 }],
  "option throttle": [group("throttle"), {}],
  "option throttle.login": [(login) => create({ storage: memoryStorage(), throttle: { login } }), {}],
  adminConsole: [(options) => adminConsole(service, options), {}],
  "adminConsole brand": [(brand) => adminConsole(service, { brand }), {}],
  connect: [connect, { baseUrl: "https://id.example" }],
  createClient: [createClient, { baseUrl: "https://id.example" }],
  "createClient retry": [(retry) => createClient({ baseUrl: "https://id.example", retry }), {}],
  createLambdaHarness: [createLambdaHarness, {}],
  createPages: [createPages, {}],
  fetchHandler: [(options) => fetchAdapter.fetchHandler(service, options), {}],
  identityMiddleware: [(options) => koa.identityMiddleware(service, options), {}],
  isolatedVmRunner: [isolatedVmRunner, {}],
  kafkaBroker: [kafkaBroker, { Kafka: class {} }],
  natsBroker: [natsBroker, { headers: empty, jetstream: { publish: empty } }],
  natsServerBroker: [natsServerBroker, { connect: empty, headers: empty, jetstream: empty }],
  nodeHandler: [(options) => nodeHandler(service, options), {}],
  nodeVmRunner: [nodeVmRunner, {}],
  oidc: [oidc, {}],
  openIdConnectLogins: [openIdConnectLogins, {}],
  "openIdConnectLogins endpoints": [(Google) => openIdConnectLogins({ endpoints: { Google } }), {}],
  openTelemetry: [openTelemetry, {}],
  postgresStorage: [postgresStorage, { connectionString: "postgres://127.0.0.1:9/x" }],
  quickJsRunner: [quickJsRunner, {}],
  simpleWebAuthn: [simpleWebAuthn, {}],
  stopOnSignals: [withoutListeners, {}],
  sqliteStorage: [sqliteStorage, { filename: ":memory:" }],
  verifyWebhook: [(keys) => verifyWebhook({ headers: {}, body: "" }, keys), { secret: "x" }],
};
const { expressGuards } = express;
const { fastifyGuards } = fastify;
const { fetchGuards } = fetchAdapter;
const { koaGuards } = koa;
for (const [name, toGuards] of Object.entries({ expressGuards, fastifyGuards, fetchGuards, koaGuards }))
  Object.assign(factories, {
    [`requireUser of ${name}`]: [(options: never) => toGuards(service).requireUser(options), {}],
    [`requireRole of ${name}`]: [(options: never) => toGuards(service).requireRole("x", options), { applicationId: "x" }],
    [`requireApiKey of ${name}`]: [(options: never) => toGuards(service).requireApiKey(options), {}],
  });

/** Calls it, and takes its listeners back. */
function withoutListeners(options: never): void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const before = signals.map((signal) => process.listeners(signal));
  stopOnSignals(createServer(), async () => undefined, options);
  for (const [index, signal] of signals.entries())
    for (const listener of process.listeners(signal)) if (!before[index]?.includes(listener)) process.off(signal, listener);
}

async function refusalOf(make: Make, options: object | undefined): Promise<string> {
  try {
    await make(options as never);
    return "nothing was refused";
  } catch (error) {
    return error instanceof TypeError ? error.message : `no TypeError: ${error}`;
  }
}

async function knownNames(make: Make, needed: object): Promise<readonly string[]> {
  const refusal = await refusalOf(make, { ...needed, anOptionThatDoesNotExist: 1 });
  const [, names] = /^There is no option [\w.]*anOptionThatDoesNotExist\. Known are (.*)\.$/.exec(refusal) ?? [];
  if (names === undefined) throw new Error(`It does not name its options: ${refusal}`);
  return names.split(", ");
}

for (const [factory, [make, needed]] of Object.entries(factories)) {
  requirement("service.unknown-options", `of ${factory} are refused, and so are values of no type that is meant`, async () => {
    for (const name of await knownNames(make, needed))
      for (const value of [null, 1n])
        expect(await refusalOf(make, { ...needed, [name]: value }), `${name}: ${value}`).toMatch(`${name}`);
  });

  requirement("service.unknown-options", `that ${factory} would inherit are refused`, async () => {
    for (const name of await knownNames(make, needed)) {
      const { [name]: value = "x", ...own } = needed as Record<string, unknown>;
      const options = Object.assign(Object.create({ [name]: value }), own);
      expect(await refusalOf(make, options), name).toMatch(new RegExp(`\\b${name} is inherited`));
    }
  });
}

requirement(
  "service.unknown-options",
  "of a class are read where they are its fields, and refused where they are getters",
  async () => {
    class Fields {
      readonly storage = memoryStorage();
    }
    class Getters extends Fields {
      get docs(): boolean {
        return false;
      }
    }
    await (await createIdentityService(new Fields())).close();
    expect(await refusalOf(create, new Getters())).toMatch(/^docs is inherited/);
  },
);

requirement("service.unknown-options", "of createTestIdentity are refused, and what it supplies itself", async () => {
  const refused = [
    [{ noww: 1 }, "There is no option noww."],
    [{ now: "2030" }, "now must be a number or an object."],
    [{ seed: 1 }, "seed must be a text."],
    [{ clock: Date.now }, "clock cannot be passed: createTestIdentity supplies it."],
    [Object.create({ docs: true }), "docs is inherited."],
  ];
  for (const [options, message] of refused) expect(await refusalOf(createTestIdentity, options)).toContain(message);
});

requirement("service.clear-errors", "every adapter refuses what is no service, such as the promise of one", async () => {
  const adapters: readonly Make[] = [
    adminConsole,
    express.identityRouter,
    express.expressGuards,
    fastify.identityPlugin,
    fastify.fastifyGuards,
    fetchAdapter.fetchHandler,
    fetchAdapter.fetchGuards,
    koa.identityMiddleware,
    koa.koaGuards,
    nodeHandler,
  ];
  for (const adapter of adapters)
    for (const wrong of [undefined, Promise.resolve(service)])
      expect(await refusalOf(adapter, wrong), adapter.name).toMatch(/^identity must be a service: .* after await\.$/);
  expect(await refusalOf(nodemailerTransport, {})).toMatch(/^nodemailerTransport needs a transporter/);
});

requirement("service.clear-errors", "what a factory cannot do without is named", async () => {
  for (const [factory, [make, needed]] of Object.entries(factories))
    for (const name of Object.keys(needed).filter((one) => !/^(?:baseUrl|connectionString)$/.test(one)))
      expect(await refusalOf(make, { ...needed, [name]: undefined }), factory).toMatch(name);
});

test("every exported function with options is among these", async () => {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly exports: Readonly<Record<string, unknown>> };
  const entries = Object.keys(exports).filter((entry) => !/json$|contract$/.test(entry));
  for (const entry of entries)
    for (const [name, value] of Object.entries(await import(/* @vite-ignore */ `latchkey${entry.slice(1)}`)))
      if (
        typeof value === "function" &&
        /^(?:async )?function \w+\([^)]*\boptions\b/.test(String(value)) &&
        name !== "createTestIdentity"
      )
        expect(Object.keys(factories), entry).toContain(name);
});
