import { data, id, localeMap, map, name, object, type Schema, text, validatedWith } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import {
  colorRule,
  colorTokens,
  type MessageTexts,
  type PageColors,
  type PageTheme,
  type TextMember,
  type ThemeRule,
  themeRules,
} from "./theme-rules.js";

/** Writable fields of a theme (docs/reference/themes.md). */
export interface ThemeFields extends PageTheme {
  /** Unique in the service, compared without case; 1 to 191 characters. Pages do not show it. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Colors for the light color scheme. Default `{}`. */
  readonly colors: PageColors;
  /** Colors for the dark color scheme. Default `{}`. */
  readonly darkColors: PageColors;
  /** Texts that override the built-in ones, and texts of form fields. */
  readonly messages: {
    /** The texts for languages without localized ones. Default `{}`. */
    readonly default: MessageTexts;
    /** Texts by locale, such as `de` or `es_MX`. Default `{}`. */
    readonly localized: Readonly<Record<string, MessageTexts>>;
  };
}

/** A theme on the wire. */
export interface Theme extends BaseRecord, ThemeFields {}

/** The body of POST and PUT. */
export interface ThemeRequest {
  /** The fields of the theme; `name` is required. */
  readonly theme: Omit<PageTheme, "messages"> &
    Partial<Pick<ThemeFields, "data">> &
    Pick<ThemeFields, "name"> & { readonly messages?: Partial<ThemeFields["messages"]> | undefined };
  /** The theme to copy missing fields from, except the name; on POST only. */
  readonly sourceThemeId?: string | undefined;
}

export type ParsedThemeRequest = { readonly theme: ThemeFields };

const ruleText = ({ explanation, isValid }: ThemeRule): Schema<string | undefined> =>
  validatedWith(text(), (value) => (isValid(value) ? undefined : `It must be ${explanation}.`)).optional();

const colors = (): Schema<PageColors> =>
  object(Object.fromEntries(Object.keys(colorTokens).map((color) => [color, ruleText(colorRule)]))).prefault({});

const textMembers = (): Record<TextMember, Schema<string | undefined>> => ({
  fontFamily: ruleText(themeRules.fontFamily),
  logoUrl: ruleText(themeRules.logoUrl),
  radius: ruleText(themeRules.radius),
  title: ruleText(themeRules.title),
});

export const themeRequest: Schema<ParsedThemeRequest> = object({
  theme: object({
    name: name().trim(),
    data: data().default({}),
    colors: colors(),
    darkColors: colors(),
    messages: object({
      default: map(text()).default({}),
      localized: localeMap(map(text())).default({}),
    }).prefault({}),
    ...textMembers(),
  }),
  sourceThemeId: id().optional(),
});
