import { isPossibleLink } from "../../shared/http.js";

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

/** Texts by name: those of the pages, and those of form fields and scopes, whose names an administrator chooses. */
export type MessageTexts = Readonly<Record<string, string>>;

/** The texts of a theme: what it says wins over the texts of the pages. */
export interface PageMessages {
  /** The texts for languages that have none of their own. */
  readonly default?: MessageTexts | undefined;
  /** By locale, such as `de` or `de_CH`. */
  readonly localized?: Readonly<Record<string, MessageTexts>> | undefined;
}

/** How pages look and speak (docs/pages.md#change-the-look). What a theme does not say is as the built-in one has it. */
export interface PageTheme {
  /** Colors for people who prefer light pages. */
  readonly colors?: PageColors | undefined;
  /** Colors for people who prefer dark pages. */
  readonly darkColors?: PageColors | undefined;
  /** Names of fonts, the best first: letters, digits, blanks, hyphens, commas and quotes. */
  readonly fontFamily?: string | undefined;
  /** An image in place of the title: an `https` URL, or a path such as `/logo.svg`. */
  readonly logoUrl?: string | undefined;
  /** Texts that win over the built-in ones, and those of form fields. */
  readonly messages?: PageMessages | undefined;
  /** The radius of corners, such as `8px` or `0.5rem`. */
  readonly radius?: string | undefined;
  /** Heads each page. Default: the name of the application, or of the tenant. */
  readonly title?: string | undefined;
}

/** What a value of a theme must be: a style sheet or a page holds it as it is. */
export interface ThemeRule {
  readonly isValid: (value: string) => boolean;
  /** What it must be, after "must be". */
  readonly explanation: string;
}

/** The names of the colors, each with its token in the style sheet. */
export const colorTokens: Readonly<Record<keyof PageColors, string>> = {
  accent: "accent",
  accentText: "accent-text",
  background: "background",
  border: "border",
  error: "error",
  muted: "muted",
  surface: "surface",
  text: "text",
};

/** The rule for each color. */
export const colorRule: ThemeRule = {
  isValid: (value) => /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value),
  explanation: "a color such as #1a5fb4",
};

/** The members of a theme that are texts with a rule. */
export type TextMember = "fontFamily" | "logoUrl" | "radius" | "title";

/** The rules for the members that are texts. */
export const themeRules: Readonly<Record<TextMember, ThemeRule>> = {
  fontFamily: {
    isValid: (value) => value.length <= 255 && /^[\w ,'"-]+$/.test(value) && hasPairs(value),
    explanation: "names of fonts with commas between them",
  },
  logoUrl: { isValid: isLogoUrl, explanation: "an https URL or a path" },
  radius: {
    isValid: (value) => /^\d{1,3}(?:\.\d{1,2})?(?:px|rem)$/.test(value) || value === "0",
    explanation: "a length such as 8px",
  },
  title: { isValid: (value) => value.length <= 191, explanation: "at most 191 characters" },
};

// An open quote would swallow what comes after it.
function hasPairs(value: string): boolean {
  return /^(?:[^'"]|'[^'"]*'|"[^'"]*")*$/.test(value);
}

/** Whether a URL can be the source of a logo: https, or a path of this origin; at most 2,000 characters. */
export function isLogoUrl(value: string): boolean {
  if (value.length > 2_000) return false;
  if (value.startsWith("/")) return /^\/(?![/\\])[\w./%~+@-]*$/.test(value);
  return isPossibleLink(value) && URL.canParse(value) && new URL(value).protocol === "https:" && !/[\s"'<>;,]/.test(value);
}

/** Checks a theme of the host. @throws TypeError that names the member that no style sheet or page could hold. */
export function assertTheme(theme: PageTheme): void {
  const check = (path: string, value: unknown, { explanation, isValid }: ThemeRule): void => {
    if (value !== undefined && !(typeof value === "string" && isValid(value)))
      throw new TypeError(`theme.${path} must be ${explanation}.`);
  };
  for (const group of ["colors", "darkColors"] as const)
    for (const [name, value] of Object.entries(theme[group] ?? {})) {
      if (!Object.hasOwn(colorTokens, name)) throw new TypeError(`theme.${group} has no ${name}.`);
      check(`${group}.${name}`, value, colorRule);
    }
  for (const [name, rule] of Object.entries(themeRules)) check(name, theme[name as TextMember], rule);
}
