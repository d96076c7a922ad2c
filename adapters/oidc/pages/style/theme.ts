import type { PageMessages } from "../messages/locale.js";

/** The colors of pages, each as `#rgb` or `#rrggbb`. */
export interface PageColors {
  /** Of buttons, links and the mark of the focus. */
  readonly accent?: string | undefined;
  /** Of texts on buttons. */
  readonly accentText?: string | undefined;
  /** Behind everything. */
  readonly background?: string | undefined;
  /** Of borders of fields. */
  readonly border?: string | undefined;
  /** Of texts about mistakes. */
  readonly error?: string | undefined;
  /** Of hints. */
  readonly muted?: string | undefined;
  /** Behind the form. */
  readonly surface?: string | undefined;
  /** Of texts. */
  readonly text?: string | undefined;
}

/** How pages look and speak. What a theme does not say is as the built-in one has it. */
export interface PageTheme {
  /** Colors for people who prefer light pages. */
  readonly colors?: PageColors | undefined;
  /** Colors for people who prefer dark pages. */
  readonly darkColors?: PageColors | undefined;
  /** Names of fonts, the best first: letters, digits, blanks, hyphens, commas and quotes. */
  readonly fontFamily?: string | undefined;
  /** An image in place of the name: an `https` URL, or a path such as `/logo.svg`. */
  readonly logoUrl?: string | undefined;
  /** Texts that win over the built-in ones, and those of form fields. */
  readonly messages?: PageMessages | undefined;
  /** What the pages are headed with. Default: the name of the application, or of the tenant. */
  readonly name?: string | undefined;
  /** The radius of corners, such as `8px` or `0.5rem`. */
  readonly radius?: string | undefined;
}

const colorNames: Readonly<Record<keyof PageColors, string>> = {
  accent: "accent",
  accentText: "accent-text",
  background: "background",
  border: "border",
  error: "error",
  muted: "muted",
  surface: "surface",
  text: "text",
};

const isColor = (value: string): boolean => /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value);
const isRadius = (value: string): boolean => /^\d{1,3}(?:\.\d{1,2})?(?:px|rem)$/.test(value) || value === "0";
const isFontFamily = (value: string): boolean => value.length <= 255 && /^[\w ,'"-]+$/.test(value) && hasPairs(value);

// An open quote would swallow what comes after it.
function hasPairs(value: string): boolean {
  return /^(?:[^'"]|'[^'"]*'|"[^'"]*")*$/.test(value);
}

/** Whether a URL can be the source of a logo: https, or a path of this origin. */
export function isLogoUrl(value: string): boolean {
  if (value.startsWith("/")) return /^\/(?![/\\])[\w./%~+@-]*$/.test(value);
  return URL.canParse(value) && new URL(value).protocol === "https:" && !/[\s"'<>;,]/.test(value);
}

/** @throws TypeError that names the member of a theme that no style sheet or page could hold. */
export function assertTheme(theme: PageTheme): void {
  const check = (path: string, value: string | undefined, isValid: (text: string) => boolean, rule: string): void => {
    if (value !== undefined && !(typeof value === "string" && isValid(value)))
      throw new TypeError(`theme.${path} must be ${rule}.`);
  };
  for (const group of ["colors", "darkColors"] as const)
    for (const [name, value] of Object.entries(theme[group] ?? {})) {
      if (!Object.hasOwn(colorNames, name)) throw new TypeError(`theme.${group} has no ${name}.`);
      check(`${group}.${name}`, value, isColor, "a color such as #1a5fb4");
    }
  check("radius", theme.radius, isRadius, "a length such as 8px");
  check("fontFamily", theme.fontFamily, isFontFamily, "names of fonts with commas between them");
  check("logoUrl", theme.logoUrl, isLogoUrl, "an https URL or a path");
  check("name", theme.name, (text) => text.length <= 191, "at most 191 characters");
}

/** The rules of a style sheet that set what a theme says. */
export function writeTokens({ colors, darkColors, fontFamily, radius }: PageTheme): string {
  const light = [...toColors(colors), ...toRule("radius", radius), ...toRule("font", fontFamily)];
  const dark = toColors(darkColors);
  const root = (rules: readonly string[]): string => (rules.length === 0 ? "" : `:root{${rules.join("")}}`);
  return root(light) + (dark.length === 0 ? "" : `@media(prefers-color-scheme:dark){${root(dark)}}`);
}

function toColors(colors: PageColors = {}): readonly string[] {
  return Object.entries(colorNames).flatMap(([name, token]) => toRule(token, colors[name as keyof PageColors]));
}

function toRule(token: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`--${token}:${value};`];
}
