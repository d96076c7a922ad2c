import type { IdentityService } from "latchkey";
import type { ApiKey, GrantMethod } from "latchkey/types";
import { type Command, type CommandCall, exitCodes, serviceHelp, serviceOptions, UsageError } from "./command/command.js";
import { withService } from "./command/open-service.js";

/** `latchkey keys`. */
export const keys: Command = {
  summary: "list, create and revoke API keys",
  usage: "list | create | revoke <id or name>…",
  options: {
    ...serviceOptions,
    name: { type: "string" },
    tenant: { type: "string" },
    endpoint: { type: "string", multiple: true },
    expires: { type: "string" },
    "key-manager": { type: "boolean" },
  },
  help: [
    "create prints the value of the new key, once: it is not kept.",
    "",
    "--name <name>             what the key is called (create; required)",
    "--tenant <name or id>     the only tenant that the key reaches",
    '--endpoint "<method> <path>"  what the key may call, such as "GET /api/group"; repeat it. Default: everything',
    "--expires <date>          when the key ends, such as 2030-01-31 or 2030-01-31T12:00:00Z",
    "--key-manager             the key may make other keys",
    ...serviceHelp,
  ],
  run: async (call) => {
    const [verb = "", ...names] = call.positionals;
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (run === undefined) throw new UsageError("Say what to do with API keys: list, create or revoke.");
    await withService(call, (identity) => run(identity, call, names));
    return exitCodes.fine;
  },
};

type Verb = (identity: IdentityService, call: CommandCall, names: readonly string[]) => Promise<void>;

const verbs: Readonly<Record<string, Verb>> = { list: listKeys, create: createKey, revoke: revokeKeys };

async function listKeys(identity: IdentityService, { terminal, flag }: CommandCall): Promise<void> {
  const { apiKeys } = await identity.apiKeys.list();
  // Lists must not show the values of retrievable keys.
  const shown = apiKeys.map(({ key: _value, ...apiKey }) => apiKey);
  if (flag("json")) terminal.print(JSON.stringify({ apiKeys: shown }, undefined, 2));
  else for (const apiKey of shown) terminal.print(toLine(apiKey));
}

function toLine({ id, name, tenantId, expirationInstant, lastUsedInstant, keyManager }: Omit<ApiKey, "key">): string {
  const told = [
    JSON.stringify(name ?? ""),
    tenantId === undefined ? "all tenants" : `tenant ${tenantId}`,
    ...(keyManager ? ["key manager"] : []),
    expirationInstant === undefined ? "no end" : `ends ${toDate(expirationInstant)}`,
    lastUsedInstant === undefined ? "never used" : `last used ${toDate(lastUsedInstant)}`,
  ];
  return `${id}  ${told.join(", ")}`;
}

function toDate(instant: number): string {
  return new Date(instant).toISOString();
}

async function createKey(identity: IdentityService, call: CommandCall): Promise<void> {
  const name = call.text("name");
  if (name === undefined) throw new UsageError("A key needs a name: --name <name>");
  const tenantId = await findTenant(identity, call.text("tenant"));
  const apiKey = {
    name,
    retrievable: false,
    keyManager: call.flag("key-manager"),
    permissions: { endpoints: toEndpoints(call.list("endpoint") ?? []) },
    ...(tenantId !== undefined && { tenantId }),
    ...(call.text("expires") !== undefined && { expirationInstant: toInstant(call.text("expires") ?? "") }),
  };
  const { apiKey: made } = await identity.apiKeys.create({ apiKey });
  call.terminal.print(call.flag("json") ? JSON.stringify({ apiKey: made }, undefined, 2) : (made.key ?? ""));
}

async function findTenant(identity: IdentityService, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { tenants } = await identity.tenants.list();
  const found = tenants.find((tenant) => tenant.id === name.toLowerCase() || tenant.name === name);
  if (found === undefined) throw new UsageError(`There is no tenant ${name}.`);
  return found.id;
}

function toEndpoints(grants: readonly string[]): Record<string, GrantMethod[]> {
  const endpoints: Record<string, GrantMethod[]> = {};
  for (const grant of grants) {
    const [, method, path = ""] = /^(GET|POST|PUT|PATCH|DELETE) +(\/\S+)$/.exec(grant) ?? [];
    if (method === undefined) throw new UsageError(`An endpoint reads like "GET /api/group", not ${JSON.stringify(grant)}.`);
    endpoints[path] = [...(endpoints[path] ?? []), method as GrantMethod];
  }
  return endpoints;
}

function toInstant(text: string): number {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw new UsageError(`--expires takes a date such as 2030-01-31, not ${JSON.stringify(text)}.`);
  return instant;
}

async function revokeKeys(identity: IdentityService, { terminal }: CommandCall, names: readonly string[]): Promise<void> {
  if (names.length === 0) throw new UsageError("Name the keys to revoke, or their ids.");
  const { apiKeys } = await identity.apiKeys.list();
  const found = names.map((name) => {
    const apiKey = apiKeys.find((known) => known.id === name.toLowerCase() || known.name === name);
    if (apiKey === undefined) throw new UsageError(`There is no API key ${name}.`);
    return apiKey;
  });
  // Revoke all keys or none.
  await identity.transaction(async (tx) => {
    for (const { id } of found) await tx.apiKeys.remove({ keyId: id });
  });
  for (const { id, name } of found) terminal.say(`Revoked ${id} ${JSON.stringify(name ?? "")}`);
}
