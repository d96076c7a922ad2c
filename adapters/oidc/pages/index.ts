export type { MessageTexts, PageColors, PageMessages, PageTheme } from "latchkey/types";
export { createPages, type PageOptions } from "./create-pages.js";
export type { ThemeSource, ThemeTarget } from "./theme/theme-source.js";
