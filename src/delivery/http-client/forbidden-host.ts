import { type Lazy, lazily } from "../../shared/async.js";

/** Loads what reads addresses, with the first host. */
export const loadAddressGuard: Lazy<typeof import("./address-guard.js")> = lazily(() => import("./address-guard.js"));

/** Says that calls may not go to a host, and what to do about it. */
export function explainForbiddenHost(host: string): string {
  const advice = "Set a public URL, or pass allowPrivateNetwork: true (npm start: LATCHKEY_ALLOW_PRIVATE_NETWORK=1).";
  return `calls may not go to ${host}, which is this machine or a private network. ${advice}`;
}

/** The same of the host of a URL, by what is known before a name is looked up; undefined for one that calls may go to. */
export async function explainForbiddenUrl(url: string): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined;
  const { isPublicAddress, literalAddress } = await loadAddressGuard();
  const { host, hostname } = new URL(url);
  const address = literalAddress(hostname);
  const isForbidden = address === undefined ? /(?:^|\.)localhost\.?$/.test(hostname) : !isPublicAddress(address);
  return isForbidden ? explainForbiddenHost(host) : undefined;
}
