import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./address-guard.js";

/** A call was about to go where calls must not go. */
export class ForbiddenAddress extends Error {
  constructor() {
    super("The address is not one that calls may go to.");
    this.name = "ForbiddenAddress";
  }
}

/**
 * Looks a name up and refuses it when any of its addresses is forbidden. The connection is made to the very addresses that were looked at,
 * so a name that changes its mind in between changes nothing.
 */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "");
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new ForbiddenAddress(), "");
    return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};
