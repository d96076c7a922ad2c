/** The configuration that the server writes into the page, as defined in `adapters/console/page.ts`. */
export interface ConsoleConfig {
  /** The mount path of the console, with a trailing slash. */
  readonly base: string;
  /** The nonce that the page's Content-Security-Policy requires of style elements. */
  readonly nonce: string;
  readonly brand: { readonly name: string; readonly logoUrl?: string };
  /** Areas that the host hides from the navigation. */
  readonly hiddenAreas: readonly string[];
  /** Links of the host, at the end of the navigation. */
  readonly links: readonly { readonly label: string; readonly href: string }[];
  /** Pages of the host that the console embeds, each at `extension/<id>`. */
  readonly tabs: readonly { readonly id: string; readonly label: string; readonly url: string }[];
  readonly locales: readonly string[];
  readonly version: string;
  /** The header that names the tenant of a call. */
  readonly tenantHeader: string;
  /** The URL at which browsers reach the service, without a trailing slash; absent if the host does not configure it. */
  readonly publicUrl?: string;
}

const text = document.getElementById("console-config")?.textContent ?? "{}";

/** Read once: the page does not change it. */
export const config: ConsoleConfig = JSON.parse(text);
