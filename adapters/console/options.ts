import { assertKnownOptions, type IdentityService, type OptionNames } from "latchkey";
import type { ApiRequest } from "latchkey/ports";
import { assertService } from "../internal/guards.js";
import { isMountPath } from "./mount.js";
import type { ConsoleRole } from "./sign-in/roles.js";

/** How the console looks. */
export interface ConsoleBrand {
  /** Stands in the head of each page. Default `Latchkey`. */
  readonly name?: string | undefined;
  /** A picture beside the name: a path on the same origin, or a `data:` URL. */
  readonly logoUrl?: string | undefined;
  /** Values of design tokens, such as `{ "--accent": "#7a1f5c" }`. */
  readonly tokens?: Readonly<Record<string, string>> | undefined;
}

/** A link of the host in the navigation of the console. */
export interface ConsoleLink {
  /** What the navigation shows. */
  readonly label: string;
  /** A path, or an `https:` URL. */
  readonly href: string;
}

/** A page of the host that the console shows in a frame of its own. */
export interface ConsoleTab {
  /** Stands in the URL: lower-case letters, digits and hyphens. */
  readonly id: string;
  /** What the navigation shows. */
  readonly label: string;
  /** A path, or an `https:` URL; the page's policy lets the console frame its origin. */
  readonly url: string;
}

/** A person whom the host lets in. */
export interface HostAdministrator {
  /** Stands in the audit log and in events. */
  readonly id: string;
  /** What the console shows. */
  readonly name?: string | undefined;
  /** What the person may do. */
  readonly role: ConsoleRole;
}

/** Options of the console. */
export interface ConsoleOptions {
  /**
   * Who makes a request, where the host signs its persons in itself: undefined for nobody. In place of the console's own sign-in, its users and
   * its confirmations.
   */
  readonly authorize?: ((request: ApiRequest) => Promise<HostAdministrator | undefined>) | undefined;
  /** The tenant of the administrators, where the console makes its application. Default: the default tenant. */
  readonly tenantId?: string | undefined;
  /** How it looks. */
  readonly brand?: ConsoleBrand | undefined;
  /** Areas that the navigation leaves out, such as `["forms"]`. It hides them; what a person may do is a matter of the role. */
  readonly hiddenAreas?: readonly string[] | undefined;
  /**
   * The path that a proxy takes away before the mount point, such as `/tools`, where it does not say so by `X-Forwarded-Prefix`. Default: none.
   */
  readonly proxyPrefix?: string | undefined;
  /** Links of the host, below the areas. */
  readonly links?: readonly ConsoleLink[] | undefined;
  /** Pages of the host that are shown inside of the console. */
  readonly tabs?: readonly ConsoleTab[] | undefined;
}

const names: OptionNames<ConsoleOptions> = {
  authorize: "function",
  brand: "object",
  hiddenAreas: "list",
  links: "list",
  proxyPrefix: "text",
  tabs: "list",
  tenantId: "text",
};

/** @throws TypeError when `identity` is not a service, or an option is invalid. */
export function assertConsoleOptions(identity: IdentityService, options: ConsoleOptions): void {
  assertService(identity, "handle");
  assertKnownOptions("", options, names);
  const { brand, hiddenAreas = [], links = [], proxyPrefix = "", tabs = [] } = options;
  assertKnownOptions("brand", brand, { name: "text", logoUrl: "text", tokens: "object" });
  for (const [name, value] of Object.entries(brand?.tokens ?? {}))
    if (!/^--[a-z][a-z\d-]*$/.test(name) || !/^[\w\s#%.,()+*/"'-]+$/.test(value) || /url\(/i.test(value))
      throw new TypeError(`brand.tokens.${name} must be a design token with a plain value, such as "#7a1f5c".`);
  if (brand?.logoUrl !== undefined && !/^(?:\/(?!\/)|data:image\/)/.test(brand.logoUrl))
    throw new TypeError("brand.logoUrl must be a path on the same origin, or a data: URL of a picture.");
  if (!hiddenAreas.every((area) => typeof area === "string")) throw new TypeError("hiddenAreas must be names of areas.");
  if (!isMountPath(proxyPrefix.replace(/\/$/, ""))) throw new TypeError("proxyPrefix must be a path such as /tools.");
  for (const { href } of links) assertTarget("links", href);
  for (const { id, url } of tabs) {
    if (!/^[a-z\d-]+$/.test(id)) throw new TypeError(`tabs holds the id ${id}: use lower-case letters, digits and hyphens.`);
    assertTarget("tabs", url);
  }
}

function assertTarget(place: string, url: string): void {
  if (!/^(?:\/(?!\/)|https?:\/\/)/.test(url) || /[\s"';,<>\\]/.test(url) || (!url.startsWith("/") && !URL.canParse(url)))
    throw new TypeError(`${place} holds ${url}, which is neither a path nor an https: URL.`);
}
