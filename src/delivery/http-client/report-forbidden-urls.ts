import type { BaseRecord, CalledUrl, Family } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { lazily } from "../../shared/async.js";
import { forbiddenHost } from "./forbidden-host.js";
import { HttpClientOnDemand } from "./http-client-on-demand.js";

const loadGuard = lazily(() => import("./address-guard.js"));

// Before its name is looked up.
async function isForbiddenUrl({ allowsPrivateNetwork, http }: ServiceContext, url: string): Promise<boolean> {
  // A client of the host has rules of its own.
  if (allowsPrivateNetwork || !(http instanceof HttpClientOnDemand) || !URL.canParse(url)) return false;
  const { isPublicAddress, literalAddress } = await loadGuard();
  const { hostname } = new URL(url);
  const address = literalAddress(hostname);
  return address === undefined ? /(?:^|\.)localhost\.?$/.test(hostname) : !isPublicAddress(address);
}

/** Logs the URLs of a record that was saved where calls may not go: each once in this process, until it is mended. */
export async function reportForbiddenUrls<Wire extends BaseRecord, Request>(
  { service, tx }: WriteCall,
  { rules, wrapper }: Family<Wire, Request>,
  record: Wire,
): Promise<void> {
  for (const called of rules.calledUrls?.(record) ?? []) {
    const isForbidden = called.url !== undefined && (await isForbiddenUrl(service, called.url));
    tx.afterCommit(() => report(service, { called, id: record.id, isForbidden, wrapper }));
  }
}

interface Report {
  readonly called: CalledUrl;
  readonly id: string;
  readonly isForbidden: boolean;
  readonly wrapper: string;
}

function report({ warnings }: ServiceContext, { called, id, isForbidden, wrapper }: Report): void {
  const { loss, setting, subject, url = "" } = called;
  const key = `${wrapper}.${setting} ${id}`;
  if (!isForbidden) {
    warnings.forget(key);
    return;
  }
  const name = subject ?? `The ${wrapper.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${id}`;
  const fields = { [`${wrapper}Id`]: id, setting: `${wrapper}.${setting}` };
  warnings.warn(key, fields, `${name} ${loss}: ${forbiddenHost(new URL(url).host)}`);
}
