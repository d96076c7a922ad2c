import { assertKnownOptions, type IdentityService, type OptionNames } from "latchkey";
import type { ApiRequest } from "latchkey/ports";
import { assertService } from "../internal/guards.js";
import { isMountPath } from "./mount.js";
import type { ConsoleRole } from "./sign-in/roles.js";

/** Branding of the console. */
export interface ConsoleBrand {
  /** The name in the head of each page. Default `Latchkey`. */
  readonly name?: string | undefined;
  /** A picture beside the name: a path on the same origin, or a `data:` URL. */
  readonly logoUrl?: string | undefined;
  /** Values of design tokens, such as `{ "--accent": "#7a1f5c" }`. */
  readonly tokens?: Readonly<Record<string, string>> | undefined;
}

/** A host's link in the console's navigation. */
export interface ConsoleLink {
  /** The text in the navigation. */
  readonly label: string;
  /** A path, or an `https:` URL; `http:` on a loopback host alone. */
  readonly href: string;
}

/** A host's page that the console shows in a frame. */
export interface ConsoleTab {
  /** Part of the URL: lower-case letters, digits and hyphens. */
  readonly id: string;
  /** The text in the navigation. */
  readonly label: string;
  /** A path, or an `https:` URL (`http:` on a loopback host alone), which the page's content security policy then lets the console frame. */
  readonly url: string;
}

/** An administrator whom the host authenticated. */
export interface HostAdministrator {
  /** The id in the audit log and in events. */
  readonly id: string;
  /** The name that the console shows. */
  readonly name?: string | undefined;
  /** The permissions of the administrator. */
  readonly role: ConsoleRole;
}

/** Options of the console. */
export interface ConsoleOptions {
  /**
   * Authenticates a request when the host signs administrators in itself; undefined refuses the request. Replaces the console's
   * own sign-in, users and confirmations.
   */
  readonly authorize?: ((request: ApiRequest) => Promise<HostAdministrator | undefined>) | undefined;
  /** The tenant in which the console creates its application. Default: the default tenant. */
  readonly tenantId?: string | undefined;
  /** Branding. */
  readonly brand?: ConsoleBrand | undefined;
  /** Areas that the navigation hides, such as `["forms"]`. Only roles restrict access. */
  readonly hiddenAreas?: readonly string[] | undefined;
  /**
   * The prefix that a proxy strips before the mount point, such as `/tools`, when it sends no `X-Forwarded-Prefix`. Default:
   * none.
   */
  readonly proxyPrefix?: string | undefined;
  /** The host's links, below the areas. */
  readonly links?: readonly ConsoleLink[] | undefined;
  /** The host's pages that the console shows in frames. */
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
  if (!/^(?:\/(?!\/)|https?:\/\/)/.test(url) || /[\s"';,<>\\]/.test(url) || (!url.startsWith("/") && !isSecure(url)))
    throw new TypeError(`${place} holds ${url}, which is neither a path nor an https: URL.`);
}

// Browsers load no http: page into one of https:, and send it no secure cookie; loopback hosts are for development.
function isSecure(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol } = new URL(url);
  return protocol === "https:" || /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
