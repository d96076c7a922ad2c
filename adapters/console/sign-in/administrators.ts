import { createHash } from "node:crypto";
import { IdentityError, type IdentityService, type InProcessApi } from "latchkey";
import { createError } from "./requests.js";
import { consoleRoles, roleDescriptions } from "./roles.js";
import { setUpVisitor } from "./visitor.js";

/** The id of the console's application. Its registered users are administrators, by their roles in it. */
export const consoleApplicationId = "3c219e58-ed0e-4b18-ad48-f4f92793ae32";

/** A session without calls ends after this time. */
export const tokenSeconds = 1_800;

/** The maximum length of a session. */
export const sessionMinutes = 720;

const setUpMilliseconds = 86_400_000;

const freshMilliseconds = 1_000;

const settledMilliseconds = 60_000;

/** The application that administrators are registered to. */
export interface ConsoleApplication {
  readonly tenantId: string;
  readonly roleIds: readonly string[];
}

/** A link for the first administrator. */
export interface SetUp {
  /** The part of the link after `#`. */
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expirationInstant: number;
}

/** The request that a set-up link sends. */
export interface FirstAdministrator {
  readonly token: string;
  readonly email: string;
  readonly password: string;
  readonly fullName?: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Creates the application of the console, unless it exists, with the first link or administrator: in the host's tenant, or in the
 * default one. Concurrent calls create one application.
 */
async function prepareApplication(identity: InProcessApi, wanted?: string): Promise<ConsoleApplication> {
  const found = await findApplication(identity);
  if (found !== undefined) return found;
  const tenantId = wanted ?? (await findOldestTenant(identity));
  try {
    await createApplication(identity, tenantId);
  } catch (error) {
    const made = await findApplication(identity);
    if (made === undefined) throw error;
  }
  return { tenantId, roleIds: (await findApplication(identity))?.roleIds ?? [] };
}

// The service creates the default tenant before any other.
async function findOldestTenant({ tenants }: InProcessApi): Promise<string> {
  const [oldest] = (await tenants.list()).tenants.toSorted((one, other) => one.insertInstant - other.insertInstant);
  return oldest?.id ?? "";
}

/** The application of the console, if it exists. */
export async function findApplication({
  applications,
}: Pick<InProcessApi, "applications">): Promise<ConsoleApplication | undefined> {
  try {
    const { application } = await applications.retrieve({ applicationId: consoleApplicationId });
    return { tenantId: application.tenantId, roleIds: application.roles.map(({ id }) => id) };
  } catch (error) {
    if (error instanceof IdentityError && error.status === 404) return undefined;
    throw error;
  }
}

async function createApplication({ applications }: InProcessApi, tenantId: string): Promise<void> {
  const lifetimes = { timeToLiveInSeconds: tokenSeconds, refreshTokenTimeToLiveInMinutes: sessionMinutes };
  await applications.create(
    {
      applicationId: consoleApplicationId,
      application: {
        name: "Console",
        jwtConfiguration: { enabled: true, ...lifetimes },
        loginConfiguration: { generateRefreshTokens: true, allowTokenRefresh: true, requireAuthentication: true },
        roles: consoleRoles.map((name) => ({ name, description: roleDescriptions[name], isSuperRole: name === "full" })),
      },
    },
    { tenantId },
  );
}

/** Whether an active user has the role `full`. */
export async function hasAdministrator({ users }: Pick<InProcessApi, "users">): Promise<boolean> {
  const query = `registrations.applicationId:${consoleApplicationId} AND registrations.roles:full AND active:true`;
  const { total } = await users.search({ search: { queryString: query, numberOfResults: 1 } });
  return (total ?? 0) > 0;
}

/** The stored part of a link. */
interface IssuedLink {
  readonly digest: string;
  readonly expirationInstant: number;
}

/** Links for the first administrator, stored as digests. */
export class SetUpLinks {
  readonly #identity: IdentityService;
  // A set-up link is public: nothing here may act as the host.
  readonly #door: InProcessApi;
  readonly #tenantId: string | undefined;
  // A link that only this process accepts.
  #own: IssuedLink | undefined;
  // A cache: the query reads all users, and unauthenticated callers can trigger it.
  #known: { readonly until: number; readonly isNeeded: Promise<boolean> } | undefined;

  constructor(identity: IdentityService, tenantId: string | undefined) {
    this.#identity = identity;
    this.#door = identity.as(setUpVisitor);
    this.#tenantId = tenantId;
  }

  /** Whether no administrator exists yet. Cached for a second, or for a minute once one exists. */
  isNeeded(now: number): Promise<boolean> {
    if (this.#known !== undefined && now < this.#known.until) return this.#known.isNeeded;
    const isNeeded = hasAdministrator(this.#door).then((isThere) => !isThere);
    const known = { until: now + freshMilliseconds, isNeeded };
    this.#known = known;
    const keep = (isOpen: boolean): void => {
      if (this.#known === known && !isOpen) this.#known = { ...known, until: now + settledMilliseconds };
    };
    isNeeded.then(keep, () => {
      this.#known = undefined;
    });
    return isNeeded;
  }

  /**
   * Issues a link that replaces an earlier one; undefined when an administrator exists. With `isStored`, each process on the
   * storage accepts it.
   */
  async issue(now: number, isStored: boolean): Promise<SetUp | undefined> {
    if (await hasAdministrator(this.#door)) return undefined;
    const token = Buffer.from(this.#identity.random(32)).toString("base64url");
    const link = { digest: digestOf(token), expirationInstant: now + setUpMilliseconds };
    if (isStored) {
      await prepareApplication(this.#door, this.#tenantId);
      await storeLink(this.#door, link);
    }
    this.#own = isStored ? undefined : link;
    return { token, expirationInstant: link.expirationInstant };
  }

  /**
   * Creates the first administrator in one transaction: of two concurrent calls, one wins.
   * @throws IdentityError 403 for a link that is wrong, used or expired, or when an administrator exists; 400 for a refused
   * password.
   */
  async use(first: FirstAdministrator): Promise<void> {
    const own = this.#own;
    const isOwn = isGood(own, first);
    // Removed first, so that no concurrent call uses it too.
    if (isOwn) this.#own = undefined;
    try {
      const { tenantId } = await prepareApplication(this.#door, this.#tenantId);
      await this.#identity.transaction((tx) => createFirst(tx.as(setUpVisitor), { ...first, isOwn, tenantId }));
      this.#known = undefined;
    } catch (error) {
      if (isOwn && !(await hasAdministrator(this.#door))) this.#own = own;
      throw error;
    }
  }
}

function isGood(link: Partial<IssuedLink> | undefined, { now, token }: FirstAdministrator): boolean {
  return link?.digest === digestOf(token) && Number(link.expirationInstant) > now;
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

async function storeLink({ applications }: Pick<InProcessApi, "applications">, setUp: IssuedLink | null): Promise<void> {
  const patch = { application: { data: { setUp } } };
  await applications.patch({ applicationId: consoleApplicationId, patch, mode: "merge" });
}

type Writer = Pick<InProcessApi, "applications" | "registrations" | "users">;

interface NewAdministrator extends FirstAdministrator {
  /** Whether the link is that of this process. */
  readonly isOwn: boolean;
  readonly tenantId: string;
}

async function createFirst(tx: Writer, first: NewAdministrator): Promise<void> {
  const { application } = await tx.applications.retrieve({ applicationId: consoleApplicationId });
  const { setUp } = application.data as { readonly setUp?: Partial<IssuedLink> };
  const mayCreate = (first.isOwn || isGood(setUp, first)) && !(await hasAdministrator(tx));
  if (!mayCreate) throw createError(403, "[invalid_link]", "The link was used, or is too old.");
  if (setUp !== undefined) await storeLink(tx, null);
  const { email, fullName, password, tenantId } = first;
  await tx.registrations.create(
    { user: { email, password, fullName }, registration: { applicationId: consoleApplicationId, roles: ["full"] } },
    { tenantId },
  );
}
