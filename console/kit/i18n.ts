import { signal } from "@preact/signals";
import en from "../messages/en.json";

/** A text, or its forms by number. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
/** The texts of an area by key. */
export type Catalogue = Readonly<Record<string, Message>>;
/** Where the texts of an area come from, by language. */
export type MessageSource = Readonly<Record<string, () => Promise<{ readonly default: Catalogue }>>>;
/** What goes into the places of a text; `count` chooses its form. */
export type MessageValues = Readonly<Record<string, string | number>>;
/** Gives the text of a key in the language of the page. */
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

/** Shows the page in another language. */
export async function setLocale(tag: string): Promise<void> {
  await Promise.all([...sources].map(([namespace, source]) => load(tag, namespace, source)));
  locale.value = tag;
  document.documentElement.lang = tag;
}

/** Makes the texts of an area known; resolves when they are there. */
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

/** The texts of an area; `console` has those of the frame and of the kit. */
export function useMessages(namespace: string): Translate {
  return (key, values = {}) => translate(namespace, key, values);
}

/** A text outside of a component. */
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

/** A number in the manner of the language. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale.value, options).format(value);
}

/** An instant in epoch milliseconds, to the second. */
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

/** How long ago an instant is, or how far ahead. */
export function formatDistance(instant: number): string {
  const seconds = (instant - Date.now()) / 1_000;
  const format = new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" });
  for (const [unit, size] of units) if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  return format.format(Math.round(seconds), "second");
}
