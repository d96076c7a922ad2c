import type { OperationCall } from "../../operations/operation.js";
import { type IpAddress, networkOf, parseClientAddress } from "../../shared/ip-address.js";
import { valueAt } from "../../shared/objects.js";
import { isPublicCaller } from "../login/trusted-caller.js";

/**
 * Where an attempt comes from, as a text that all addresses of one host have in common.
 * Calls without any address, such as those in process that name none, count as one source.
 */
export function sourceOfAttempt(call: OperationCall): string {
  const address = addressOfLogin(call);
  return address === undefined ? "unknown" : networkOf(address);
}

/**
 * Where the user of a call is: the source of the request, or what `ipAddress` says when the caller speaks for others, as a key, a client or
 * the host does. Undefined in process, when nothing is said.
 */
export function addressOfLogin(call: OperationCall): IpAddress | undefined {
  const { body, params, request, service } = call;
  const named = isPublicCaller(call) ? undefined : (valueAt(body, "ipAddress") ?? params.ipAddress);
  const address = typeof named === "string" ? parseClientAddress(named) : undefined;
  return address ?? (request && service.addressOf(request));
}
