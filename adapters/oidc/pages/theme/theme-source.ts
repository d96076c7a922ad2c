import { IdentityError, type InProcessApi } from "latchkey";
import { type Application, assertTheme, defaultThemeId, type PageTheme, type Tenant } from "latchkey/types";

/** Whose theme is asked for. */
export interface ThemeTarget {
  /** The tenant of the page; undefined where a service with several names none. */
  readonly tenantId?: string | undefined;
  /** The application of the page; undefined for pages of the tenant. */
  readonly applicationId?: string | undefined;
}

/**
 * A theme for all pages, or a function that returns the one of a tenant and application. It replaces the stored ones; where the function returns
 * undefined, the stored one counts.
 */
export type ThemeSource = PageTheme | ((place: ThemeTarget) => PageTheme | undefined | Promise<PageTheme | undefined>);

/** The records whose theme is asked for, and the calls that read it. */
export interface ThemeOwner {
  readonly api: Pick<InProcessApi, "themes">;
  readonly application?: Pick<Application, "id" | "themeId"> | undefined;
  readonly tenant?: Pick<Tenant, "id" | "themeId"> | undefined;
}

/** The theme of a tenant and application. @throws TypeError for one of the host that no page could hold. */
export async function findTheme(source: ThemeSource | undefined, owner: ThemeOwner): Promise<PageTheme> {
  const target = { tenantId: owner.tenant?.id, applicationId: owner.application?.id };
  const given = typeof source === "function" ? await source(target) : source;
  if (given === undefined) return findStoredTheme(owner);
  assertTheme(given);
  return given;
}

// Read with each page, so that a change counts in every process at once.
async function findStoredTheme({ api, application, tenant }: ThemeOwner): Promise<PageTheme> {
  const themeId = application?.themeId ?? tenant?.themeId ?? defaultThemeId;
  try {
    return (await api.themes.retrieve({ themeId })).theme;
  } catch (error) {
    if (error instanceof IdentityError && error.status === 404) return {};
    throw error;
  }
}
