export type { MessageTexts, PageMessages } from "./messages/locale.js";
export { createPages, type PageOptions } from "./server/create-pages.js";
export type { PageColors, PageTheme } from "./theme/theme.js";
export type { ThemeSource, ThemeTarget } from "./theme/theme-source.js";
