import { IdentityError, type InProcessApi } from "latchkey";
import { type Application, assertTheme, defaultThemeId, type PageTheme, type Tenant } from "latchkey/types";

/** The tenant and application of a theme. */
export interface ThemeTarget {
  /** The tenant of the page; undefined if unknown in a service with several tenants. */
  readonly tenantId?: string | undefined;
  /** The application of the page; undefined for pages of the tenant. */
  readonly applicationId?: string | undefined;
}

/**
 * A theme for all pages, or a function that returns the theme of a tenant and application. It replaces the stored themes; if the
 * function returns undefined, the stored theme is used.
 */
export type ThemeSource = PageTheme | ((place: ThemeTarget) => PageTheme | undefined | Promise<PageTheme | undefined>);

/** The records with the theme, and the calls that read it. */
export interface ThemeOwner {
  readonly api: Pick<InProcessApi, "themes">;
  readonly application?: Pick<Application, "id" | "themeId"> | undefined;
  readonly tenant?: Pick<Tenant, "id" | "themeId"> | undefined;
}

/** Returns the theme of a tenant and application. @throws TypeError for an invalid theme of the host. */
export async function findTheme(source: ThemeSource | undefined, owner: ThemeOwner): Promise<PageTheme> {
  const target = { tenantId: owner.tenant?.id, applicationId: owner.application?.id };
  const given = typeof source === "function" ? await source(target) : source;
  if (given === undefined) return findStoredTheme(owner);
  assertTheme(given);
  return given;
}

// Read for each page, so that a change takes effect in every process at once.
async function findStoredTheme({ api, application, tenant }: ThemeOwner): Promise<PageTheme> {
  const themeId = application?.themeId ?? tenant?.themeId ?? defaultThemeId;
  try {
    return (await api.themes.retrieve({ themeId })).theme;
  } catch (error) {
    if (error instanceof IdentityError && error.status === 404) return {};
    throw error;
  }
}
