import type { Configuration } from "oidc-provider";

/** The attributes of the provider's cookies. */
export class CookieRules {
  readonly #path: string;
  readonly #prefix: string;

  constructor(publicUrl: string) {
    const { pathname, protocol } = new URL(publicUrl);
    this.#path = pathname;
    // Browsers refuse this prefix unless the cookie is for this host only.
    this.#prefix = protocol !== "https:" ? "" : pathname === "/" ? "__Host-" : "__Secure-";
  }

  sessionName(tenantId: string): string {
    return `${this.#prefix}latchkey_session_${tenantId}`;
  }

  /** The tenants with a session in the browser. */
  tenantsIn(header: string | readonly string[] | undefined): readonly string[] {
    const names = String(header ?? "").matchAll(/latchkey_session_([\da-f-]{36})=/g);
    return [...new Set(Array.from(names, ([, tenantId = ""]) => tenantId))];
  }

  /** The attributes of session cookies. */
  get longOptions(): { readonly httpOnly: true; readonly sameSite: "lax"; readonly signed: true; readonly path: string } {
    return { httpOnly: true, sameSite: "lax", signed: true, path: this.#path };
  }

  /** The cookie options of a provider. `keys` sign the cookies; the first one signs new ones. */
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
