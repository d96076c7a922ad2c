import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

/** The examples of examples/embed, by their frameworks. */
export const embedded = ["express", "fastify", "koa", "node", "hono"] as const;

const apiKey = "the-key-of-the-embedded-examples";

// What hands requests to an example that exports an app with `fetch`, as runtimes of that kind do.
const serveFetch = `
import { createServer } from "node:http";
const { default: app } = await import(process.argv[1]);
createServer(async ({ url, headers }, response) => {
  const answer = await app.fetch(new Request("http://127.0.0.1" + url, { headers }));
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}).listen(process.env.PORT);`;

/**
 * Runs an example where its packages resolve and answers the statuses of: the host's own route, a call with the key, one without.
 * @throws Error with what it complained about when it ends before it answers.
 */
export async function tryEmbedded(directory: string, file: string): Promise<readonly number[]> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), LATCHKEY_SECRET: "x".repeat(32), LATCHKEY_API_KEY: apiKey };
  const script = file.endsWith("hono.ts") ? ["--input-type=module", "-e", serveFetch, `${directory}/${file}`] : [file];
  const child = spawn(process.execPath, script, { cwd: directory, env, stdio: ["ignore", "ignore", "pipe"] });
  let complaints = "";
  child.stderr?.on("data", (text) => {
    complaints += String(text);
  });
  try {
    const ask = (path: string, headers = {}): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`, { headers });
    const own = await untilAnswered(child, () => ask("/teams"));
    if ((await own.text()) !== "[]") throw new Error("The host's own route answers something else.");
    const statuses = [own, await ask("/api/group", { authorization: apiKey }), await ask("/api/group")];
    return statuses.map(({ status }) => status);
  } catch (error) {
    throw new Error(`${file}: ${complaints}`, { cause: error });
  } finally {
    if (child.exitCode === null) {
      child.kill("SIGKILL");
      await once(child, "close");
    }
  }
}

async function untilAnswered(child: ChildProcess, ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (child.exitCode !== null || tries > 300) throw error;
      await setTimeout(100);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
