import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AdminConsole, adminConsole } from "latchkey/console";
import { nodeHandler } from "latchkey/node";
import { type Command, type CommandCall, exitCodes, serviceHelp, serviceOptions, UsageError } from "./command/command.js";
import { withService } from "./command/open-service.js";

const cookieName = "latchkey_terminal";

/** `latchkey console`. */
export const showConsole: Command = {
  summary: "open the console on this machine, without a sign-in",
  usage: "",
  options: { ...serviceOptions, port: { type: "string" } },
  help: [
    "--port <number>           where it listens on 127.0.0.1 (9012); 0 picks a free port",
    "",
    "Prints a link that opens the console once, for the one who runs the command, with all rights.",
    "",
    ...serviceHelp,
  ],
  run: async (call) => {
    const port = readPort(call.text("port") ?? "9012");
    return withService(call, async (identity) => {
      const access = new TerminalAccess();
      const handle = toListener(adminConsole(identity, { authorize: async (request) => access.find(request.headers) }), access);
      const server = createServer(handle);
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      access.host = `127.0.0.1:${typeof address === "object" ? address?.port : port}`;
      // Listen for the stop first: a program that reads the line may stop the command at once.
      const stopped = call.terminal.untilStopped();
      show(call, `http://${access.host}/open/${access.token}`);
      await stopped;
      server.close();
      server.closeAllConnections();
      return exitCodes.fine;
    });
  },
};

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError("--port takes a number from 0 to 65535.");
  return Number(text);
}

function show({ flag, terminal }: CommandCall, url: string): void {
  const lines = [`Console  ${url}`, "", "The link works once. Ctrl+C stops it."];
  for (const line of flag("json") ? [JSON.stringify({ url })] : lines) terminal.print(line);
}

/** Admits only the first browser that opens the link. */
export class TerminalAccess {
  /** The address of the server. Requests with another host name come from foreign pages. */
  host = "";
  readonly token: string = randomBytes(32).toString("base64url");
  readonly #session = randomBytes(32).toString("base64url");
  #isOpened = false;

  /** Returns the cookie for the first browser with the token; undefined for any other. */
  open(token: string, { host }: IncomingMessage["headers"]): string | undefined {
    if (this.#isOpened || host !== this.host || !isEqual(token, this.token)) return undefined;
    this.#isOpened = true;
    return `${cookieName}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** The user of a request; undefined without the cookie. */
  find(
    headers: Readonly<Record<string, unknown>>,
  ): { readonly id: string; readonly name: string; readonly role: "full" } | undefined {
    const cookies = String(headers.cookie ?? "").split("; ");
    const isOwn = headers.host === this.host && cookies.some((cookie) => isEqual(cookie, `${cookieName}=${this.#session}`));
    return isOwn ? { id: "latchkey console", name: "latchkey console", role: "full" } : undefined;
  }
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Serves the console and the link that opens it. */
export function toListener(served: AdminConsole, access: TerminalAccess): (req: IncomingMessage, res: ServerResponse) => void {
  const handle = nodeHandler(served);
  return (req, res) => {
    const token = /^\/open\/([\w-]+)$/.exec(req.url ?? "")?.[1];
    if (token === undefined) {
      void handle(req, res);
      return;
    }
    const cookie = access.open(token, req.headers);
    if (cookie === undefined)
      res.writeHead(403, { "content-type": "text/plain" }).end("The link was used. Run the command again.\n");
    else res.writeHead(303, { "set-cookie": cookie, location: "/", "referrer-policy": "no-referrer" }).end();
  };
}
