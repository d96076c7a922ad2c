import { assertTheme, type PageTheme } from "./theme.js";

/** Whose theme is asked for. */
export interface ThemedPlace {
  readonly tenantId?: string | undefined;
  readonly applicationId?: string | undefined;
}

/** A theme for all pages, or a function that returns the one of a tenant and application. */
export type ThemeSource = PageTheme | ((place: ThemedPlace) => PageTheme | Promise<PageTheme>);

/** The theme of a tenant and application. @throws TypeError for one that no page could hold. */
export async function findTheme(source: ThemeSource, place: ThemedPlace): Promise<PageTheme> {
  const theme = typeof source === "function" ? await source(place) : source;
  assertTheme(theme);
  return theme;
}
