import { once } from "node:events";
import { createServer } from "node:http";
import { nodeHandler } from "latchkey/node";
import { type Command, type CommandCall, exitCodes, serviceHelp, serviceOptions, UsageError } from "../command/command.js";
import { withService } from "../command/open-service.js";
import { readSecretReference } from "../command/read-documents.js";
import { sources } from "./import-plan.js";
import { importUsers } from "./import-users.js";
import { JobApi } from "./job-api.js";
import { withTemporaryKey } from "./temporary-key.js";

/** `latchkey users`. */
export const users: Command = {
  summary: "import users of another system, and export those of the service",
  usage: "import <file> | export",
  options: {
    ...serviceOptions,
    url: { type: "string" },
    "api-key": { type: "string" },
    from: { type: "string" },
    tenant: { type: "string" },
    application: { type: "string", multiple: true },
    map: { type: "string" },
    passwords: { type: "string" },
    "password-scheme": { type: "string" },
    "firebase-config": { type: "string" },
    "on-duplicate": { type: "string" },
    events: { type: "string" },
    "dry-run": { type: "boolean" },
    errors: { type: "string" },
    resume: { type: "string" },
    search: { type: "string" },
    "with-passwords": { type: "boolean" },
  },
  help: [
    "import reads a file, or - for standard input. export prints the users, one in a line.",
    "",
    "--url <url>               the root of a running service; else the database is opened here",
    "--api-key <key>           a key of that service: env:NAME, file:PATH or the key itself (env:LATCHKEY_API_KEY)",
    "",
    `--from <system>           ${[...sources.keys()].join(", ")} (latchkey)`,
    "--tenant <name or id>     the tenant of the users",
    "--application <name or id>  an application to register the users to; repeat it",
    "--map <file>              JSON: what stands for roles and groups, and for the columns of a table",
    "--passwords <file>        the hashes that the support of Auth0 sends",
    "--password-scheme <name>  a scheme of your option passwordSchemes, for users without a hash",
    "--firebase-config <file>  the password hash parameters of the Firebase project",
    "--on-duplicate <what>     error, skip or update (error)",
    "--events <kind>           bulk: an event for many users; single: one for each (bulk)",
    "--dry-run                 check every row, and store none",
    "--errors <file>           write the rows that failed, with the reasons; it holds hashes",
    "--resume <job>            wait for a job, and let it go on where it ended early",
    "",
    "--search <query>          the users to export, such as email:*@example.com (all)",
    "--with-passwords          export the hashes too",
    "",
    ...serviceHelp,
    "",
    "The exit code of import is 0 when all rows were imported, 2 when some were not, and 1 when the job did not end.",
  ],
  run: async (call) => {
    const verb = call.positionals[0] ?? "";
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (run === undefined) throw new UsageError("Say what to do with users: import or export.");
    return withApi(call, (api) => run(call, api));
  },
};

const verbs: Readonly<Record<string, (call: CommandCall, api: JobApi) => Promise<number>>> = {
  import: importUsers,
  export: exportUsers,
};

// Serve an opened database to this command alone, so that both cases use the HTTP API.
async function withApi(call: CommandCall, work: (api: JobApi) => Promise<number>): Promise<number> {
  const url = call.text("url");
  if (url !== undefined) return work(new JobApi(url, readKey(call)));
  return withService(call, async (identity) => {
    const server = createServer(nodeHandler(identity)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    try {
      return await withTemporaryKey(identity, (key) => work(new JobApi(`http://127.0.0.1:${port}`, key)));
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
}

function readKey({ terminal, text }: CommandCall): string {
  const given = text("api-key") ?? "env:LATCHKEY_API_KEY";
  const key = /^(env|file):/.test(given) ? readSecretReference(given, terminal) : given;
  if (key === undefined || key === "") throw new UsageError("An API key is missing: --api-key, or LATCHKEY_API_KEY.");
  return key;
}

async function exportUsers({ flag, positionals, terminal, text }: CommandCall, api: JobApi): Promise<number> {
  if (positionals.length > 1) throw new UsageError("The users are printed: latchkey users export > users.ndjson");
  const queryString = text("search");
  const search = queryString === undefined ? {} : { search: { queryString } };
  for await (const chunk of await api.export({ ...search, includePasswordHashes: flag("with-passwords") }))
    await terminal.write(chunk);
  return exitCodes.fine;
}
