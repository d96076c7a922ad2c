/** F, the hand-written limit: Fastify, API key by sha256 and Map, one prepared statement by primary key, row → object → JSON. */
import fastify from "fastify";
import { apiKey } from "../harness/fixtures.ts";
import { announceReady } from "../harness/subject.ts";
import { type GroupRow, openGroups } from "./groups-table.ts";
import { createKeyCheck } from "./key-check.ts";

const { database, ids } = openGroups("NORMAL");
const findGroup = database.prepare<[string], GroupRow>("select * from groups where id = ?");
const isKnownKey = createKeyCheck(apiKey);
const app = fastify();

app.get<{ Params: { id: string } }>("/api/group/:id", (request, reply) => {
  if (!isKnownKey(request.headers.authorization)) return reply.code(401).send();
  const row = findGroup.get(request.params.id);
  if (row === undefined) return reply.code(404).send();
  return reply.send({ group: { ...row, data: JSON.parse(row.data), roles: JSON.parse(row.roles) } });
});

const address = await app.listen({ port: 0, host: "127.0.0.1" });
announceReady({ port: Number(new URL(address).port), ids, credential: apiKey });
