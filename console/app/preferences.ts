import { effect, signal } from "@preact/signals";
import { setLocale } from "../kit/i18n.js";
import { config } from "./config.js";

/** Light, dark, or the theme of the operating system. */
export type Theme = "system" | "light" | "dark";

function read(name: string): string | null {
  return localStorage.getItem(`console:${name}`);
}

function toTheme(text: string | null): Theme {
  return text === "light" || text === "dark" ? text : "system";
}

/** The theme that the person chose. */
export const theme = signal<Theme>(toTheme(read("theme")));
/** Whether single-key shortcuts are active. Some people cannot use them, so they can be turned off (WCAG 2.1.4). */
export const hasSingleKeys = signal(read("keys") !== "off");

effect(() => {
  localStorage.setItem("console:theme", theme.value);
  document.documentElement.dataset["theme"] = theme.value;
});
effect(() => localStorage.setItem("console:keys", hasSingleKeys.value ? "on" : "off"));

/** Shows the page in the language that the person chose, else in the first supported language of the browser. */
export async function startLocale(): Promise<void> {
  const wanted = [read("locale"), ...navigator.languages.map((tag) => tag.split("-")[0])];
  const found = wanted.find((tag) => tag != null && config.locales.includes(tag));
  if (found != null && found !== "en") await setLocale(found);
}

/** Changes the language of the page and stores the choice in the browser. */
export async function chooseLocale(tag: string): Promise<void> {
  localStorage.setItem("console:locale", tag);
  await setLocale(tag);
}
