import type { Configuration } from "oidc-provider";

/** How the cookies of the provider are set: below the path of the service, and over TLS where clients reach it so. */
export class CookieRules {
  readonly #path: string;
  readonly #prefix: string;

  constructor(publicUrl: string) {
    const { pathname, protocol } = new URL(publicUrl);
    this.#path = pathname;
    // Browsers refuse such a name unless the cookie is for this host alone.
    this.#prefix = protocol !== "https:" ? "" : pathname === "/" ? "__Host-" : "__Secure-";
  }

  /** The name of the cookie that holds the session of a browser with a tenant. */
  sessionName(tenantId: string): string {
    return `${this.#prefix}latchkey_session_${tenantId}`;
  }

  /** The tenants that a browser has sessions with. */
  tenantsIn(header: string | readonly string[] | undefined): readonly string[] {
    const names = String(header ?? "").matchAll(/latchkey_session_([\da-f-]{36})=/g);
    return [...new Set(Array.from(names, ([, tenantId = ""]) => tenantId))];
  }

  /** How the cookie of a session is set. */
  get longOptions(): { readonly httpOnly: true; readonly sameSite: "lax"; readonly signed: true; readonly path: string } {
    return { httpOnly: true, sameSite: "lax", signed: true, path: this.#path };
  }

  /** The cookie options of a provider. `keys` sign them, the first for new ones. */
  toOptions(tenantId: string, keys: readonly string[]): NonNullable<Configuration["cookies"]> {
    const shared = { httpOnly: true, sameSite: "lax", signed: true } as const;
    const secure = this.#prefix === "" ? "" : "__Secure-";
    return {
      keys: [...keys],
      names: {
        session: this.sessionName(tenantId),
        interaction: `${secure}latchkey_interaction`,
        resume: `${secure}latchkey_resume`,
      },
      long: this.longOptions,
      short: shared,
    };
  }
}
