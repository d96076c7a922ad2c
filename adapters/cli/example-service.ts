import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createIdentityService, type IdentityService } from "latchkey";
import { adminConsole } from "latchkey/console";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { type Command, type CommandCall, exitCodes, UsageError } from "./command/command.js";

/** `latchkey dev`. */
export const dev: Command = {
  summary: "run a service in memory with example data, to try it out",
  usage: "",
  options: { port: { type: "string" } },
  help: [
    "--port <number>           where it listens on 127.0.0.1 (PORT, else 9011); 0 picks a free port",
    "",
    "It has the API and the console, and no OpenID Connect, SAML or SCIM. For these, mount oidc() of latchkey/oidc in your app (docs/openid-provider.md).",
    "What you change is gone when it stops. It does not run in production: NODE_ENV=production is refused.",
  ],
  run: async (call) => {
    if (call.terminal.env.NODE_ENV === "production")
      throw new UsageError("latchkey dev is for your own machine, not for production: everybody knows its passwords.");
    const port = readPort(call.text("port") ?? (call.terminal.env.PORT || "9011"));
    const apiKey = randomBytes(32).toString("base64url");
    const identity = await createIdentityService({ storage: memoryStorage(), apiKey, allowPrivateNetwork: true });
    const example = await addExample(identity);
    const admin = adminConsole(identity);
    const setUp = await admin.issueSetUp({ isStored: false });
    const [handleConsole, handle] = [nodeHandler(admin, { basePath: "/admin" }), nodeHandler(identity)];
    const server = createServer((req, res) => void handleConsole(req, res, () => void handle(req, res)));
    server.listen(port, "127.0.0.1");
    await once(server, "listening").catch(refusePort);
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`;
    // Listen for the stop first: a program that reads the line may stop the command at once.
    const stopped = call.terminal.untilStopped();
    show(call, { url, apiKey, setUpUrl: `${url}/admin/set-up#${setUp?.token}`, ...example });
    await stopped;
    server.close();
    server.closeAllConnections();
    await identity.close();
    return exitCodes.fine;
  },
};

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError("--port and PORT take a number from 0 to 65535.");
  return Number(text);
}

function refusePort(cause: NodeJS.ErrnoException): never {
  if (cause.code !== "EADDRINUSE") throw cause;
  throw new UsageError("The port is in use. Stop what listens there, or pass another one with --port.", { cause });
}

interface Example {
  readonly applicationId: string;
  readonly groupId: string;
  readonly users: readonly { readonly email: string; readonly password: string; readonly role: string }[];
}

const users: Example["users"] = [
  { email: "ada@example.com", password: "correct horse battery", role: "seller" },
  { email: "grace@example.com", password: "correct horse battery", role: "buyer" },
];

async function addExample(identity: IdentityService): Promise<Example> {
  const roles = [{ name: "buyer", isDefault: true }, { name: "seller" }];
  const { application } = await identity.applications.create({ application: { name: "Shop", roles } });
  const { group } = await identity.groups.create({ group: { name: "Staff" } });
  const applicationId = application.id;
  for (const { role, ...user } of users) {
    const registration = { applicationId, roles: [role] };
    const { user: made } = await identity.registrations.create({ user, registration });
    if (role === "seller" && made !== undefined)
      await identity.groupMembers.add({ members: { [group.id]: [{ userId: made.id }] } });
  }
  return { applicationId, groupId: group.id, users };
}

function show({ flag, terminal }: CommandCall, running: Example & Readonly<Record<"apiKey" | "setUpUrl" | "url", string>>): void {
  if (flag("json")) {
    terminal.print(JSON.stringify(running));
    return;
  }
  const { apiKey, applicationId, setUpUrl, url } = running;
  const login = JSON.stringify({ loginId: users[0]?.email, password: users[0]?.password, applicationId });
  const lines = [
    `The service runs at ${url}, in memory: what you change is gone when it stops.`,
    "",
    `Console      ${setUpUrl}`,
    `API key      ${apiKey}`,
    `Application  Shop, ${applicationId}, with the roles buyer and seller`,
    ...users.map(({ email, password, role }) => `User         ${email}, ${role}, password: ${password}`),
    "Group        Staff, with ada@example.com",
    "",
    `curl -H 'Authorization: ${apiKey}' ${url}/api/group`,
    `curl -H 'Authorization: ${apiKey}' -H 'Content-Type: application/json' ${url}/api/login -d '${login}'`,
    "",
    "Ctrl+C stops it.",
  ];
  for (const line of lines) terminal.print(line);
}
