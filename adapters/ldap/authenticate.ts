import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { SignInError } from "latchkey";
import { type ConnectorLogin, type ConnectorUser, loadPackage, type SignInHost } from "latchkey/ports";
import type { Client, Entry } from "ldapts";
import { toAttributes, toWireAttributes } from "./attributes.js";
import { MessageStream } from "./message-stream.js";
import { endAfter, openConnection } from "./open-connection.js";
import { type LdapSettings, toSettings } from "./settings.js";

type Library = typeof import("ldapts");

/** The library, the connection and the settings of one login. */
interface Session {
  readonly library: Library;
  readonly client: Client;
  readonly settings: LdapSettings;
}

/**
 * Checks a password: finds the entry of the login id with the system account, then binds as that entry. Returns undefined for an
 * unknown login id, an ambiguous one, and a wrong password.
 * @throws SignInError `unavailable`
 */
export async function authenticate(login: ConnectorLogin, host: SignInHost): Promise<ConnectorUser | undefined> {
  const settings = toSettings(login.connector);
  // A server treats a bind without a password as anonymous and reports success (RFC 4513, 5.1.2).
  if (login.password === "" || settings.systemAccountPassword === "") return undefined;
  const library = loadPackage<Library>(import.meta.url, "ldapts", "latchkey/ldap");
  const channel = new MessageStream(await openConnection(settings, host));
  const cancel = endAfter(settings.readTimeout, channel);
  const client = new library.Client({ url: "ldap://connected", createConnection: () => channel as Duplex as Socket });
  try {
    return await logIn({ library, client, settings }, login, host);
  } catch (cause) {
    throw cause instanceof SignInError ? cause : new SignInError("unavailable", describe(cause), { cause });
  } finally {
    cancel();
    void client.unbind().catch(() => undefined);
    channel.destroy();
  }
}

function describe(error: unknown): string {
  const code = error instanceof Error && "code" in error ? ` (result code ${String(error.code)})` : "";
  return `the directory did not answer as it should${code}.`;
}

async function logIn(session: Session, login: ConnectorLogin, host: SignInHost): Promise<ConnectorUser | undefined> {
  const { client, settings } = session;
  await client.bind(settings.systemAccountDN, settings.systemAccountPassword);
  const entry = await findEntry(session, login, host);
  if (entry === undefined || !(await isRight(session, entry.dn, login.password))) return undefined;
  const { identifyingAttribute, requestedAttributes } = settings;
  const identifier = toAttributes(entry, [identifyingAttribute])[identifyingAttribute];
  if (typeof identifier !== "string" || identifier === "")
    throw new SignInError("unavailable", `the entry has not one value of ${identifyingAttribute}.`);
  return { user: {}, identifier, attributes: toAttributes(entry, requestedAttributes) };
}

async function findEntry(
  { client, library, settings }: Session,
  login: ConnectorLogin,
  host: SignInHost,
): Promise<Entry | undefined> {
  const { baseStructure, identifyingAttribute, loginIdAttribute, readTimeout, requestedAttributes } = settings;
  const attributes = toWireAttributes([...requestedAttributes, identifyingAttribute]);
  const { searchEntries } = await client.search(baseStructure, {
    scope: "sub",
    // An object instead of a filter string: user input is never parsed as a filter.
    filter: new library.EqualityFilter({ attribute: loginIdAttribute, value: login.loginId }),
    attributes,
    explicitBufferAttributes: attributes,
    sizeLimit: 2,
    timeLimit: Math.max(1, Math.ceil(readTimeout / 1_000)),
  });
  const [entry, another] = searchEntries;
  if (another !== undefined) host.logger.warn({ connectorId: login.connector.id }, "several entries have one login id");
  return another === undefined && entry?.dn !== "" ? entry : undefined;
}

/** Result codes for a wrong password or an account that must not log in (RFC 4511, appendix A). */
const refusals: ReadonlySet<unknown> = new Set([19, 32, 48, 49, 50, 53]);

async function isRight({ client, library }: Session, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (error instanceof library.ResultCodeError && refusals.has(error.code)) return false;
    throw error;
  }
}
