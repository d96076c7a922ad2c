import { assertTheme, type PageTheme } from "./theme.js";

/** Whose theme is asked for. */
export interface ThemeTarget {
  /** The tenant; absent where the page is of none. */
  readonly tenantId?: string | undefined;
  /** The application that the user logs in to; absent for pages of the tenant. */
  readonly applicationId?: string | undefined;
}

/** A theme for all pages, or a function that returns the one of a tenant and application. */
export type ThemeSource = PageTheme | ((place: ThemeTarget) => PageTheme | Promise<PageTheme>);

/** The theme of a tenant and application. @throws TypeError for one that no page could hold. */
export async function findTheme(source: ThemeSource, place: ThemeTarget): Promise<PageTheme> {
  const theme = typeof source === "function" ? await source(place) : source;
  assertTheme(theme);
  return theme;
}
