/** What the server says to the page: the contract of `adapters/console/page.ts`. */
export interface ConsoleConfig {
  /** The path that the console is mounted at, with a slash at its end. */
  readonly base: string;
  /** What the page's policy lets style elements carry. */
  readonly nonce: string;
  readonly brand: { readonly name: string; readonly logoUrl?: string };
  /** Areas of the navigation that the host does not want to be seen. */
  readonly hiddenAreas: readonly string[];
  /** Links of the host: the last ones of the navigation. */
  readonly links: readonly { readonly label: string; readonly href: string }[];
  /** Pages of the host that are shown inside of the console, by their path below `extension/`. */
  readonly tabs: readonly { readonly id: string; readonly label: string; readonly url: string }[];
  readonly locales: readonly string[];
  readonly version: string;
  /** The header that names the tenant of a call. */
  readonly tenantHeader: string;
  /** The URL of the service as browsers reach it, without a slash at its end; absent where the host does not say it. */
  readonly publicUrl?: string;
}

const text = document.getElementById("console-config")?.textContent ?? "{}";

/** Read once: the page does not change it. */
export const config: ConsoleConfig = JSON.parse(text);
