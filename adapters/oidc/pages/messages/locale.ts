import type { MessageTexts, PageMessages } from "latchkey/types";
import type { MessageKey } from "./english.js";
import { english } from "./english.js";
import { german } from "./german.js";

/** The language of a page, with its texts. */
export interface PageLanguage {
  /** A language tag, such as `de`. */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  /** Returns a text with its placeholders replaced. */
  readonly text: (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;
  /** Returns a text of the theme or of the pages; undefined for an unknown key. */
  readonly find: (key: string) => string | undefined;
}

const builtIn: Readonly<Record<string, MessageTexts>> = { en: english, de: german };

/** Languages with a right-to-left script (Unicode CLDR). */
const rightToLeft: ReadonlySet<string> = new Set([
  "ar",
  "arc",
  "ckb",
  "dv",
  "fa",
  "ha",
  "he",
  "khw",
  "ks",
  "ps",
  "sd",
  "ug",
  "ur",
  "yi",
]);

/**
 * Chooses the language of a page: the first preferred one with texts in the pages or the theme, else English. A locale without
 * its own texts uses those of its language.
 */
export function chooseLanguage(wanted: readonly string[], messages: PageMessages = {}): PageLanguage {
  const localized = new Map(Object.entries(messages.localized ?? {}).map(([name, texts]) => [toTag(name), texts]));
  const isKnown = (tag: string): boolean => localized.has(tag) || Object.hasOwn(builtIn, tag);
  const tag = wanted.flatMap((name) => withParents(toTag(name))).find(isKnown) ?? "en";
  const own = withParents(tag).flatMap((name) => [localized.get(name), name === "en" ? undefined : builtInOf(name)]);
  const chain: readonly MessageTexts[] = [...own, messages.default, english].filter((texts) => texts !== undefined);
  const find = (key: string): string | undefined => chain.find((texts) => Object.hasOwn(texts, key))?.[key];
  const [language = ""] = tag.split("-");
  return {
    tag,
    direction: rightToLeft.has(language) ? "rtl" : "ltr",
    text: (key, values = {}) => fill(find(key) ?? key, values),
    find,
  };
}

function builtInOf(name: string): MessageTexts | undefined {
  return Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
}

function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (name, key: string) => (Object.hasOwn(values, key) ? String(values[key]) : name));
}

function toTag(name: string): string {
  return name.replaceAll("_", "-").toLowerCase();
}

function withParents(tag: string): readonly string[] {
  const parts = tag.split("-");
  return parts.map((_part, index) => parts.slice(0, parts.length - index).join("-"));
}

/** The most languages that are read from a header or parameter. */
const maxWanted = 20;

/** The languages of an `Accept-Language` header, the best first (RFC 9110, 12.5.4). */
export function readAcceptLanguage(header: string | readonly string[] | undefined): readonly string[] {
  const ranges = String(header ?? "")
    .split(",", maxWanted)
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    });
  return ranges
    .filter(({ tag, weight }) => isLanguageTag(tag) && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** The languages of the parameter `ui_locales` (OpenID Connect Core 1.0, 3.1.2.1). */
export function readUiLocales(value: unknown): readonly string[] {
  return typeof value === "string" ? value.split(" ", maxWanted).filter(isLanguageTag) : [];
}

function isLanguageTag(text: string): boolean {
  return /^[A-Za-z]{2,3}(?:[-_][A-Za-z\d]{1,8}){0,4}$/.test(text);
}
