import { isPossibleLink } from "../../shared/http.js";

/** The colors of pages, each as `#rgb` or `#rrggbb`. */
export interface PageColors {
  /** Buttons, links and the focus ring. */
  readonly accent?: string | undefined;
  /** Text on buttons. */
  readonly accentText?: string | undefined;
  /** The background of the page. */
  readonly background?: string | undefined;
  /** Borders of fields. */
  readonly border?: string | undefined;
  /** Error messages. */
  readonly error?: string | undefined;
  /** Hints. */
  readonly muted?: string | undefined;
  /** The background of the form. */
  readonly surface?: string | undefined;
  /** Text. */
  readonly text?: string | undefined;
}

/** Texts by name: those of the pages, and those of form fields and scopes, with names that an administrator chooses. */
export type MessageTexts = Readonly<Record<string, string>>;

/** The texts of a theme, which override those of the pages. */
export interface PageMessages {
  /** The texts for languages without localized ones. */
  readonly default?: MessageTexts | undefined;
  /** By locale, such as `de` or `de_CH`. */
  readonly localized?: Readonly<Record<string, MessageTexts>> | undefined;
}

/** Appearance and texts of pages (docs/pages.md#change-the-look). Missing members default to the built-in theme. */
export interface PageTheme {
  /** Colors for the light color scheme. */
  readonly colors?: PageColors | undefined;
  /** Colors for the dark color scheme. */
  readonly darkColors?: PageColors | undefined;
  /** Font names in order of preference: letters, digits, blanks, hyphens, commas and quotes. */
  readonly fontFamily?: string | undefined;
  /** An image instead of the title: an `https` URL, or a path such as `/logo.svg`. */
  readonly logoUrl?: string | undefined;
  /** Texts that override the built-in ones, and texts of form fields. */
  readonly messages?: PageMessages | undefined;
  /** The radius of corners, such as `8px` or `0.5rem`. */
  readonly radius?: string | undefined;
  /** The heading of each page. Default: the name of the application, or of the tenant. */
  readonly title?: string | undefined;
}

/** The rule for a value of a theme, which style sheets and pages contain unescaped. */
export interface ThemeRule {
  readonly isValid: (value: string) => boolean;
  /** The rule in words, to follow "must be". */
  readonly explanation: string;
}

/** The tokens of the colors in the style sheet. */
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

/** The rule for colors. */
export const colorRule: ThemeRule = {
  isValid: (value) => /^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(value),
  explanation: "a color such as #1a5fb4",
};

/** Members of a theme that are texts with a rule. */
export type TextMember = "fontFamily" | "logoUrl" | "radius" | "title";

/** The rules for texts. */
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

// An unclosed quote would include the rules after it.
function hasPairs(value: string): boolean {
  return /^(?:[^'"]|'[^'"]*'|"[^'"]*")*$/.test(value);
}

/** Whether a URL is valid for a logo: https, or a path of this origin; at most 2,000 characters. */
export function isLogoUrl(value: string): boolean {
  if (value.length > 2_000) return false;
  if (value.startsWith("/")) return /^\/(?![/\\])[\w./%~+@-]*$/.test(value);
  return isPossibleLink(value) && URL.canParse(value) && new URL(value).protocol === "https:" && !/[\s"'<>;,]/.test(value);
}

/** Validates a theme of the host. @throws TypeError that names the invalid member. */
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
