/** A receiver of webhooks as bare as can be: it counts what it gets, and answers a GET with the count. */
import { createServer } from "node:http";
import { listen } from "./listen.ts";

const status = Number(process.env.BENCH_STATUS ?? 200);
let received = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === "GET") return void response.end(String(received));
  request.resume();
  request.on("end", () => {
    received++;
    response.writeHead(status).end();
  });
});

// Whoever started it may be killed.
process.on("disconnect", () => process.exit());
const port = await listen(server);
process.send?.({ url: `http://127.0.0.1:${port}/` });
