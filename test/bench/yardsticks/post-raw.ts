/** POST by hand: Fastify, parse, one INSERT in a transaction of its own, WAL, synchronous=FULL (or NORMAL), respond. */
import { randomUUID } from "node:crypto";
import fastify from "fastify";
import { apiKey, type Group, tenantId } from "../harness/fixtures.ts";
import { announceReady } from "../harness/subject.ts";
import { insertGroup, openGroups, toRow } from "./groups-table.ts";
import { createKeyCheck } from "./key-check.ts";

const { database, ids } = openGroups(process.env.BENCH_SYNCHRONOUS ?? "FULL");
const begin = database.prepare("begin immediate");
const insert = database.prepare(insertGroup);
const commit = database.prepare("commit");
const isKnownKey = createKeyCheck(apiKey);
const app = fastify();

app.post<{ Body: { group: Pick<Group, "name" | "data"> } }>("/api/group", (request, reply) => {
  if (!isKnownKey(request.headers.authorization)) return reply.code(401).send();
  const { name, data } = request.body.group;
  const now = Date.now();
  const group: Group = { data, id: randomUUID(), insertInstant: now, lastUpdateInstant: now, name, roles: {}, tenantId };
  begin.run();
  insert.run(toRow(group));
  commit.run();
  return reply.send({ group });
});

const address = await app.listen({ port: 0, host: "127.0.0.1" });
announceReady({ port: Number(new URL(address).port), ids, credential: apiKey });
