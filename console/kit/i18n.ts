import { signal } from "@preact/signals";
import en from "../messages/en.json";

/** A text, or its plural forms. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
/** The texts of an area by key. */
export type Catalogue = Readonly<Record<string, Message>>;
/** Loaders for the texts of an area, by language. */
export type MessageSource = Readonly<Record<string, () => Promise<{ readonly default: Catalogue }>>>;
/** Values for the placeholders of a text; `count` also selects the plural form. */
export type MessageValues = Readonly<Record<string, string | number>>;
/** Returns the text of a key in the language of the page. */
export type Translate = (key: string, values?: MessageValues) => string;

const names: Readonly<Record<string, string>> = { en: "English", de: "Deutsch" };
const own: MessageSource = { de: () => import("../messages/de.json") };
const sources = new Map<string, MessageSource>([["console", own]]);
const catalogues = signal<ReadonlyMap<string, Catalogue>>(new Map([["en/console", en]]));

/** The language of the page. */
export const locale = signal("en");

/** The name of a language in that language. */
export function nameOfLocale(tag: string): string {
  return names[tag] ?? tag;
}

/** Loads the texts of a language and shows the page in it. */
export async function setLocale(tag: string): Promise<void> {
  await Promise.all([...sources].map(([namespace, source]) => load(tag, namespace, source)));
  locale.value = tag;
  document.documentElement.lang = tag;
}

/** Registers the texts of an area; resolves when they have loaded. */
export async function loadMessages(namespace: string, source: MessageSource): Promise<void> {
  sources.set(namespace, source);
  await Promise.all(["en", locale.value].map((tag) => load(tag, namespace, source)));
}

async function load(tag: string, namespace: string, source: MessageSource): Promise<void> {
  const name = `${tag}/${namespace}`;
  const find = source[tag];
  if (catalogues.peek().has(name) || find === undefined) return;
  const catalogue = (await find()).default;
  catalogues.value = new Map(catalogues.peek()).set(name, catalogue);
}

/** Returns the translator of an area. The namespace `console` holds the texts of the frame and of the kit. */
export function useMessages(namespace: string): Translate {
  return (key, values = {}) => translate(namespace, key, values);
}

/** Translates outside of a component. Falls back to English, then to the key. */
export function translate(namespace: string, key: string, values: MessageValues = {}): string {
  const tag = locale.value;
  const message = catalogues.value.get(`${tag}/${namespace}`)?.[key] ?? catalogues.value.get(`en/${namespace}`)?.[key];
  if (message === undefined) return key;
  return toForm(message, values["count"], tag).replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) return place;
    return typeof value === "number" ? formatNumber(value) : value;
  });
}

function toForm(message: Message, count: string | number | undefined, tag: string): string {
  if (typeof message === "string") return message;
  const rule = typeof count === "number" ? new Intl.PluralRules(tag).select(count) : "other";
  return message[rule] ?? message.other ?? "";
}

/** Formats a number for the language of the page. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale.value, options).format(value);
}

/** Formats an instant in epoch milliseconds, to the second. */
export function formatInstant(instant: number): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeStyle: "medium" }).format(instant);
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** Formats an instant relative to now, in the past or future. */
export function formatDistance(instant: number): string {
  const seconds = (instant - Date.now()) / 1_000;
  const format = new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" });
  for (const [unit, size] of units) if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  return format.format(Math.round(seconds), "second");
}
