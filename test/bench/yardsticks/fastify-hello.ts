/** What Fastify costs by itself: 600 bytes of JSON, no key, no storage. */
import fastify from "fastify";
import { makeGroup } from "../harness/fixtures.ts";
import { announceReady } from "../harness/subject.ts";

const answer = { group: makeGroup(0) };
const app = fastify();

app.get("/", (_request, reply) => reply.send(answer));

const address = await app.listen({ port: 0, host: "127.0.0.1" });
announceReady({ port: Number(new URL(address).port), ids: [answer.group.id], credential: "none" });
