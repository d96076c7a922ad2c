import { type Lazy, lazily } from "../../shared/async.js";

/** Loads the address guard, with the first host. */
export const loadAddressGuard: Lazy<typeof import("./address-guard.js")> = lazily(() => import("./address-guard.js"));

/** The message that calls to a host are forbidden, with the fix. */
export function explainForbiddenHost(host: string): string {
  const advice = "Set a public URL, or pass allowPrivateNetwork: true (npm start: LATCHKEY_ALLOW_PRIVATE_NETWORK=1).";
  return `calls may not go to ${host}, which is this machine or a private network. ${advice}`;
}

/** The same for the host of a URL, without looking a name up; undefined for an allowed one. */
export async function explainForbiddenUrl(url: string): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined;
  const { isPublicAddress, literalAddress } = await loadAddressGuard();
  const { host, hostname } = new URL(url);
  const address = literalAddress(hostname);
  const isForbidden = address === undefined ? /(?:^|\.)localhost\.?$/.test(hostname) : !isPublicAddress(address);
  return isForbidden ? explainForbiddenHost(host) : undefined;
}
