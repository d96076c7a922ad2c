/** What the server of `npm start` is told of the way to it: proxies in front, pages of other origins, its own URL. */
import type { CorsOptions } from "latchkey";

/** The proxies of `LATCHKEY_TRUSTED_PROXIES`: addresses and CIDR ranges, or a number of hops. Undefined where nothing is said. */
export function readProxies(text: string | undefined): readonly string[] | number | undefined {
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  return toList(text);
}

/** The pages of `LATCHKEY_CORS_ORIGINS`: origins, which may send cookies, or `*` for all, which may not. */
export function readCors(text: string | undefined): CorsOptions | undefined {
  if (!text) return undefined;
  return text === "*" ? { origins: "*" } : { origins: toList(text), credentials: true };
}

/** Why a server may be behind a proxy that it knows nothing of; undefined where its public URL is its own. */
export function findMissingProxy(publicUrl: string | undefined, url: string): string | undefined {
  if (publicUrl === undefined || isOwn(new URL(publicUrl), new URL(url))) return undefined;
  return (
    `The public URL is ${publicUrl}, and the server listens at ${url}. Behind a proxy, set LATCHKEY_TRUSTED_PROXIES: all clients ` +
    "count as one address otherwise, and a few wrong logins lock everybody out. Without a proxy, set it to 0."
  );
}

const toList = (text: string): readonly string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const anyHost = /^(0\.0\.0\.0|\[::\])$/;
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function isOwn(given: URL, own: URL): boolean {
  const isSameHost = given.hostname === own.hostname || anyHost.test(own.hostname) || [given, own].every(isLoopback);
  return isSameHost && given.protocol === own.protocol && given.port === own.port;
}

const isLoopback = ({ hostname }: URL): boolean => loopback.test(hostname);
