import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type IpAddress, networkOf, parseClientAddress } from "../../shared/ip-address.js";
import { valueAt } from "../../shared/objects.js";
import { isPublicCaller } from "../subjects/trusted-caller.js";

/**
 * Where an attempt comes from, as a text that all addresses of one host have in common.
 * Calls without any address, such as those in process that name none, count as one source.
 */
export function sourceOfAttempt(call: OperationCall): string {
  const address = addressOfLogin(call);
  if (address !== undefined) return networkOf(address);
  if (isPublicCaller(call)) warn(call.service);
  return "unknown";
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

function warn({ warnings }: ServiceContext): void {
  const fix = "Pass remoteAddress with each request, or trustedProxies where a proxy names it in X-Forwarded-For.";
  warnings.warn("address", {}, `The address of a caller is unknown: limits count all such callers as one. ${fix}`);
}
