import type { ApiRequest } from "latchkey/ports";

/** Reads and writes cookies: HttpOnly, for this host only, `SameSite=Lax`. */
export interface CookieJar {
  /** The value of a cookie; undefined for a missing or ambiguous one. */
  readonly read: (name: string) => string | undefined;
  /** The header that sets a cookie; an empty value deletes it. */
  readonly write: (name: string, value: string, options?: CookieOptions) => string;
}

/** The lifetime and the path of a cookie. */
export interface CookieOptions {
  /** Default: the whole host. */
  readonly path?: string | undefined;
  /** In seconds. Default: until the browser ends. */
  readonly maxAge?: number | undefined;
}

/** The cookies of a request. With https, their names have the prefixes of RFC 6265bis, so that no other host can plant them. */
export function openCookies({ headers }: Pick<ApiRequest, "headers">, isSecure: boolean): CookieJar {
  const pairs = [headers.cookie ?? []].flat().flatMap((header) => header.split(";").map((pair) => pair.trim()));
  const fullName = (name: string, path = "/"): string => (isSecure ? `${path === "/" ? "__Host-" : "__Secure-"}${name}` : name);
  return {
    read(name) {
      const names = [fullName(name), fullName(name, "")];
      const found = pairs.filter((pair) => names.some((one) => pair.startsWith(`${one}=`)));
      return found.length === 1 ? found[0]?.slice(found[0].indexOf("=") + 1) : undefined;
    },
    write(name, value, { path = "/", maxAge } = {}) {
      const age = value === "" ? 0 : maxAge;
      return [
        `${fullName(name, path)}=${value}`,
        `Path=${path}`,
        ...(age === undefined ? [] : [`Max-Age=${age}`]),
        "HttpOnly",
        ...(isSecure ? ["Secure"] : []),
        "SameSite=Lax",
      ].join("; ");
    },
  };
}
