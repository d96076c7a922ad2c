/**
 * C, the core skeleton: what our design costs with nothing in it. A framework-neutral core (routing, key, UUID check,
 * async storage, SQL written once by kysely and run through a cached prepared statement, stored JSON spliced into the
 * answer) behind adapters of a few lines.
 */
import { createServer } from "node:http";
import type { Database, Statement } from "better-sqlite3";
import express from "express";
import fastify from "fastify";
import Koa from "koa";
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { apiKey } from "../harness/fixtures.ts";
import { listen } from "../harness/listen.ts";
import { announceReady, settings } from "../harness/subject.ts";
import { type GroupRow, openGroups } from "./groups-table.ts";
import { createKeyCheck } from "./key-check.ts";

interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

interface ApiResponse {
  readonly status: number;
  readonly body: string;
}

type Find = (id: string) => Promise<GroupRow | undefined>;

const createFind = (database: Database): Find => {
  const kysely = new Kysely<{ groups: GroupRow }>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const { sql } = kysely.selectFrom("groups").selectAll().where("id", "=", "").compile();
  const statements = new Map<string, Statement<[string], GroupRow>>();
  const prepare = (): Statement<[string], GroupRow> => {
    const statement = database.prepare<[string], GroupRow>(sql);
    statements.set(sql, statement);
    return statement;
  };
  return async (id) => (statements.get(sql) ?? prepare()).get(id);
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const toBody = (row: GroupRow): string =>
  `{"group":{"data":${row.data},"id":"${row.id}","insertInstant":${row.insertInstant},"lastUpdateInstant":${row.lastUpdateInstant}` +
  `,"name":${JSON.stringify(row.name)},"roles":${row.roles},"tenantId":"${row.tenantId}"}}`;

const createCore = (find: Find): ((request: ApiRequest) => Promise<ApiResponse>) => {
  const isKnownKey = createKeyCheck(apiKey);
  const retrieveGroup = async (id: string): Promise<ApiResponse> => {
    if (!uuid.test(id)) return { status: 400, body: "{}" };
    const row = await find(id);
    return row === undefined ? { status: 404, body: "" } : { status: 200, body: toBody(row) };
  };
  const routes = new Map([["GET /api/group/", retrieveGroup]]);
  return async ({ method, path, authorization }) => {
    if (!isKnownKey(authorization)) return { status: 401, body: "" };
    const idStart = path.lastIndexOf("/") + 1;
    const operation = routes.get(`${method} ${path.slice(0, idStart)}`);
    return operation === undefined ? { status: 404, body: "" } : operation(path.slice(idStart));
  };
};

const { database, ids } = openGroups("NORMAL");
const handle = createCore(createFind(database));
const json = "application/json; charset=utf-8";

const startFastify = async (): Promise<number> => {
  const app = fastify();
  app.all("/api/*", async (request, reply) => {
    const { method, url, headers } = request;
    const { status, body } = await handle({ method, path: url, authorization: headers.authorization });
    return reply.code(status).header("content-type", json).send(body);
  });
  return Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
};

const startExpress = (): Promise<number> => {
  const app = express();
  app.use(async (request, response) => {
    const { method, path, headers } = request;
    const { status, body } = await handle({ method, path, authorization: headers.authorization });
    response.writeHead(status, { "content-type": json, "content-length": Buffer.byteLength(body) }).end(body);
  });
  return listen(createServer(app));
};

const startKoa = (): Promise<number> => {
  const app = new Koa();
  app.use(async (context) => {
    const { method, path, headers } = context;
    const { status, body } = await handle({ method, path, authorization: headers.authorization });
    context.status = status;
    context.set("content-type", json);
    context.body = body;
  });
  return listen(createServer(app.callback()));
};

const startHttp = (): Promise<number> =>
  listen(
    createServer(async (request, response) => {
      const { method = "", url = "", headers } = request;
      const { status, body } = await handle({ method, path: url, authorization: headers.authorization });
      response.writeHead(status, { "content-type": json, "content-length": Buffer.byteLength(body) }).end(body);
    }),
  );

const starters: Readonly<Record<string, () => Promise<number>>> = {
  fastify: startFastify,
  express: startExpress,
  koa: startKoa,
  http: startHttp,
};

const start = starters[settings.framework];
if (start === undefined) throw new Error(`BENCH_FRAMEWORK is one of ${Object.keys(starters).join(", ")}`);
announceReady({ port: await start(), ids, credential: apiKey });
