import { type ApiRequest, IdentityError, type InProcessApi, type User } from "latchkey";
import { type ConsoleApplication, consoleApplicationId } from "./administrators.js";

const uuidShape = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

const maxIds = 500;

/** More of them are in no body but those of imports. */
const maxNames = 20;

const loginMembers: ReadonlySet<string> = new Set(["loginId", "email", "username", "phoneNumber"]);

/** The bodies of these are not looked into: they are as long as a whole storage. */
const bulkPath = /^\/api\/user\/(?:bulk|import|refresh-token\/import)(?:\/|$)/;

/** What shows secrets, or takes them out. */
const secretPath = /^\/api\/(?:api-key|user\/export|user\/two-factor\/recovery-code)(?:\/|$)/;

/** Whether a call shows secrets as such, or may change so much that nobody has looked at it. */
export function isGuarded({ path }: ApiRequest): boolean {
  return secretPath.test(path) || bulkPath.test(path);
}

/** What a write is checked with. */
export interface ChangeContext {
  readonly reader: InProcessApi;
  /** Undefined where nobody administrates by it yet. */
  readonly application: ConsoleApplication | undefined;
}

/**
 * Whether a write concerns administrators: it names the application of the console or one of its roles, a user who is registered to it, or a
 * group with its roles. `text` is the body; undefined where it was not read, which counts as yes.
 */
export async function changesAdministrators(
  context: ChangeContext,
  request: ApiRequest,
  text: string | undefined,
): Promise<boolean> {
  const body = text === undefined ? undefined : readMentions(text);
  if (body === undefined) return true;
  const said = [safelyDecoded(request.path), safelyDecoded(request.query), ...body.texts].join("\n");
  const ids = [...new Set((said.match(uuidShape) ?? []).map((id) => id.toLowerCase()))];
  const own = [consoleApplicationId, ...(context.application?.roleIds ?? [])];
  const inQuery = new URLSearchParams(request.query);
  const loginIds = new Set([...body.loginIds, ...[...loginMembers].flatMap((name) => inQuery.getAll(name))]);
  if (own.some((id) => ids.includes(id)) || ids.length > maxIds || loginIds.size > maxNames) return true;
  const { path } = request;
  if ((await holdsUser(context, ids)) || (await namesUser(context, loginIds))) return true;
  return (await isGroup(context, path)) || (await isPasskey(context, path));
}

/** What a body says, escapes resolved. */
interface Mentions {
  readonly texts: readonly string[];
  /** What users log in with. */
  readonly loginIds: readonly string[];
}

/** Undefined for a body that cannot be looked through. */
function readMentions(body: string): Mentions | undefined {
  const texts: string[] = [];
  const loginIds: string[] = [];
  const note = (name: string, value: unknown): unknown => {
    texts.push(name);
    if (typeof value === "string") texts.push(value);
    if (loginMembers.has(name) && value !== "") loginIds.push(String(value));
    return value;
  };
  try {
    if (body !== "") JSON.parse(body, note);
    return { texts, loginIds };
  } catch {
    return undefined;
  }
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function holdsUser({ reader }: ChangeContext, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const { users } = await reader.users.search({ search: { ids: [...ids], numberOfResults: ids.length } });
  return users.some(isAdministrator);
}

function isAdministrator({ registrations }: Pick<User, "registrations">): boolean {
  return registrations.some(({ applicationId }) => applicationId === consoleApplicationId);
}

async function isGroup({ reader }: ChangeContext, path: string): Promise<boolean> {
  const groupId = /^\/api\/group\/([\da-f-]{36})/i.exec(path)?.[1];
  const found = groupId === undefined ? undefined : await findOrNothing(reader.groups.retrieve({ groupId }));
  return found !== undefined && Object.hasOwn(found.group.roles, consoleApplicationId);
}

async function isPasskey(context: ChangeContext, path: string): Promise<boolean> {
  const passkeyId = /^\/api\/webauthn\/([\da-f-]{36})/i.exec(path)?.[1];
  if (passkeyId === undefined) return false;
  const found = await findOrNothing(context.reader.passkeys.retrieve({ passkeyId }));
  return found !== undefined && (await holdsUser(context, [found.credential.userId]));
}

async function namesUser({ application, reader }: ChangeContext, loginIds: ReadonlySet<string>): Promise<boolean> {
  if (application === undefined) return false;
  // The first that matches counts: each type is asked for by itself.
  for (const loginId of loginIds)
    for (const type of ["email", "username", "phoneNumber"] as const) {
      const asked = reader.users.find({ loginId, loginIdTypes: [type] }, { tenantId: application.tenantId });
      const answer = await findOrNothing(asked);
      if (answer !== undefined && isAdministrator(answer.user)) return true;
    }
  return false;
}

async function findOrNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof IdentityError && error.status < 500) return undefined;
    throw error;
  }
}
