import type { User } from "latchkey/types";
import type { ScimResource } from "../schema/schemas.js";
import { trimmedText } from "./scim-data.js";
import { type Members, memberOf } from "./valid-value.js";

/** The stored language of a user: the API's list, and the text of the SCIM client, if it sent one. */
interface StoredLanguage {
  readonly preferredLanguages: readonly string[] | undefined;
  readonly preferredLanguage: string | undefined;
}

/**
 * Returns the Java locale of the first language in a text such as `de-DE` or `en-US, en;q=0.8`: `de_DE`, `en_US`. Undefined when
 * the first language has more than a language and a region.
 */
export function toLocale(text: string): string | undefined {
  const [first = ""] = text.split(/[,;]/, 1);
  const [, language = "", region] = /^([a-z]{2,3})(?:[-_]([a-z]{2}|\d{3}))?$/i.exec(first.trim()) ?? [];
  if (language === "") return undefined;
  return region === undefined ? language.toLowerCase() : `${language.toLowerCase()}_${region.toUpperCase()}`;
}

/**
 * Returns `preferredLanguage`: the SCIM client's text, or, if the API changed the user's first language since, that language as a
 * language tag.
 */
export function showLanguage({ preferredLanguages }: Pick<User, "preferredLanguages">, scim: Members): string | undefined {
  const first = trimmedText(preferredLanguages[0]);
  const sent = sentLanguage(scim);
  const locale = sent === undefined ? undefined : toLocale(sent);
  const isCurrent = sent !== undefined && (locale === undefined ? first === undefined : locale === first);
  return isCurrent ? sent : first?.replaceAll("_", "-");
}

function sentLanguage(scim: Members): string | undefined {
  const sent = memberOf(scim, "preferredLanguage");
  return typeof sent === "string" ? sent : undefined;
}

/** Returns the stored form of a resource's `preferredLanguage`; keeps all languages when it equals the current one. */
export function storeLanguage(
  { preferredLanguage: sent }: ScimResource,
  current: User | undefined,
  scim: Members,
): StoredLanguage {
  if (current !== undefined && sent === showLanguage(current, scim)) {
    const { preferredLanguages } = current;
    return {
      preferredLanguages: preferredLanguages.length === 0 ? undefined : preferredLanguages,
      preferredLanguage: sentLanguage(scim),
    };
  }
  const text = typeof sent === "string" ? sent : undefined;
  const locale = text === undefined ? undefined : toLocale(text);
  return { preferredLanguages: locale === undefined ? undefined : [locale], preferredLanguage: text };
}
