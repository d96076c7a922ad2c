export { createPages, type PageOptions } from "./create-pages.js";
export type { ThemeSource, ThemeTarget } from "./theme/theme-source.js";
