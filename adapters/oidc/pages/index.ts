export type { MessageTexts, PageMessages } from "./messages/locale.js";
export { createPages, type PageOptions } from "./server/create-pages.js";
export type { PageColors, PageTheme } from "./style/theme.js";
export type { ThemedPlace, ThemeSource } from "./style/theme-source.js";
