import type { Interaction } from "../../http/interactions.js";
import type { Place } from "./place.js";

const inInteraction = [
  "login",
  "two-factor",
  "two-factor-methods",
  "two-factor-passkey",
  "forgot",
  "sent",
  "change",
  "changed",
  "register",
  "registered",
  "verify-email",
  "verify-phone",
  "verify-registration",
  "verified",
  "passwordless",
  "passwordless-code",
  "link",
  "callback",
  "passkey",
  "new-passkey",
] as const;

/** The name of a page: the last segment of its path in an interaction. */
export type PageName = (typeof inInteraction)[number];

const names: ReadonlySet<string> = new Set(inInteraction);

function isPageName(text: string): text is PageName {
  return names.has(text);
}

/** The paths of pages without an interaction: links in messages lead to them. */
const standalone: Readonly<Partial<Record<PageName, string>>> = {
  forgot: "/password/forgot",
  sent: "/password/sent",
  change: "/password/change",
  changed: "/password/changed",
  register: "/oauth2/register",
  registered: "/oauth2/registered",
  "verify-email": "/email/verify",
  "verify-phone": "/phone/verify",
  "verify-registration": "/registration/verify",
  verified: "/email/verified",
  callback: "/oauth2/callback",
  "passwordless-code": "/oauth2/passwordless",
};

/** The paths outside of `/oauth2` at and below which the pages answer. */
export const pageRoots: readonly string[] = Object.values(standalone).filter((path) => !path.startsWith("/oauth2/"));

const byPath: ReadonlyMap<string, PageName> = new Map(
  inInteraction.flatMap((name) => {
    const path = standalone[name];
    return path === undefined ? [] : [[path, name] as const];
  }),
);

/** The target of a path. */
export interface PagePath {
  readonly page: PageName;
  /** The segment after the page name. */
  readonly id: string | undefined;
  /** The id of the interaction; undefined for a page without one. */
  readonly uid: string | undefined;
}

/** Parses a path of the service; undefined for a path that is not a page. */
export function parsePath(path: string): PagePath | undefined {
  const [, uid, name = "login", id] =
    /^\/oauth2\/interaction\/([\w-]{1,100})(?:\/([a-z-]+)(?:\/([\w-]{1,200}))?)?$/.exec(path) ?? [];
  if (uid !== undefined) return isPageName(name) ? { page: name, id, uid } : undefined;
  const exact = byPath.get(path);
  if (exact !== undefined) return { page: exact, id: undefined, uid: undefined };
  const [, parent = "", last] = /^(.+)\/([\w-]{1,200})$/.exec(path) ?? [];
  const page = byPath.get(parent);
  return page === undefined ? undefined : { page, id: last, uid: undefined };
}

/** The context of a link. */
export interface LinkOrigin {
  readonly base: string;
  readonly interaction: Interaction | undefined;
  readonly place: Place;
}

/** The path of a page with its query, in the same interaction or for the same application. */
export function linkTo({ base, interaction, place }: LinkOrigin, page: PageName, id?: string): string {
  const end = id === undefined ? "" : `/${encodeURIComponent(id)}`;
  if (interaction !== undefined) {
    const root = `${base}/oauth2/interaction/${interaction.uid}`;
    return page === "login" ? root : `${root}/${page}${end}`;
  }
  const path = standalone[page];
  if (path === undefined) throw new TypeError(`${page} needs an interaction.`);
  const query = new URLSearchParams();
  if (place.application !== undefined) query.set("client_id", place.application.id);
  else if (place.tenant !== undefined) query.set("tenantId", place.tenant.id);
  return `${base}${path}${end}${query.size === 0 ? "" : `?${query}`}`;
}
