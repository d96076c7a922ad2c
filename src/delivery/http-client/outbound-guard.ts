import { lookup } from "node:dns";
import type { OutboundGuard } from "../../ports/event-transport.js";
import { isPublicAddress } from "./address-guard.js";
import { guardedLookup } from "./guarded-lookup.js";

/** Checks the addresses that adapters of the host may connect to. */
export function createOutboundGuard(allowsPrivateNetwork: boolean): OutboundGuard {
  return allowsPrivateNetwork ? { isAllowed: () => true, lookup } : { isAllowed: isPublicAddress, lookup: guardedLookup };
}
