/** json-server in memory, as its module is documented, without its request log. */
import { createServer } from "node:http";
// @ts-expect-error It brings no types.
import jsonServer from "json-server";
import { makeGroup } from "../harness/fixtures.ts";
import { listen } from "../harness/listen.ts";
import { announceReady, settings } from "../harness/subject.ts";

const groups = Array.from({ length: settings.groups }, (_, index) => makeGroup(index));
const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false }));
app.use(jsonServer.router({ groups }));

announceReady({ port: await listen(createServer(app)), ids: groups.map((group) => group.id), credential: "none" });
