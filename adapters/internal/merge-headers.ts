import type { ApiResponse } from "latchkey/ports";

/** The value of a header that the host has set. */
type HeaderValue = number | string | readonly string[] | undefined;

/**
 * Merges the service's headers into those that the host has set for the response: sends all cookies, and unites the directives
 * for caches. For any other header, the service's value wins.
 */
export function mergeHeaders(
  headers: ApiResponse["headers"],
  getHeader: (name: "set-cookie" | "vary" | "cache-control") => HeaderValue,
): ApiResponse["headers"] {
  const merged: Record<string, string | string[]> = {};
  const { "set-cookie": cookies, vary, "cache-control": cacheControl } = headers;
  const [ownCookies, ownVary, ownControl] = [getHeader("set-cookie"), getHeader("vary"), getHeader("cache-control")];
  if (cookies !== undefined && ownCookies !== undefined) merged["set-cookie"] = [...toTexts(ownCookies), ...toTexts(cookies)];
  if (vary !== undefined && ownVary !== undefined) merged.vary = joinLists(ownVary, vary);
  if (cacheControl !== undefined && ownControl !== undefined) merged["cache-control"] = joinLists(ownControl, cacheControl);
  return { ...headers, ...merged };
}

function toTexts(value: Exclude<HeaderValue, undefined>): string[] {
  return [value].flat().map(String);
}

// The stricter of two directives counts (RFC 9111, 4.2.1), so all can stay.
function joinLists(...values: readonly Exclude<HeaderValue, undefined>[]): string {
  const items = values.flatMap(toTexts).flatMap((text) => text.split(",").map((item) => item.trim()));
  const names = items.map((item) => item.toLowerCase());
  return items.filter((_item, place) => names.indexOf(names[place] ?? "") === place).join(", ");
}
