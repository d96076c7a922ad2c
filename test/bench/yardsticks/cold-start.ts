/** Goal 30, the base: Fastify and better-sqlite3 alone, one row by primary key. Packages only, as it runs from a copy. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { fastify } from "fastify";

const id = "00000000-0000-4000-8000-000000000001";
const database = new Database(join(String(process.env.BENCH_DIR), "base.db"));
database.pragma("journal_mode = WAL");
database.exec("create table if not exists groups (id text primary key, name text not null)");
database.prepare("insert or ignore into groups (id, name) values (?, ?)").run(id, "Editors");
const findGroup = database.prepare("select id, name from groups where id = ?");
const app = fastify();

app.get<{ Params: { id: string } }>("/api/group/:id", (request, reply) =>
  reply.send({ group: findGroup.get(request.params.id) }),
);

const address = await app.listen({ port: 0, host: "127.0.0.1" });
console.log(`ready ${address} ${id} none`);
