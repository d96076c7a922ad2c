import type { OperationCall } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { type IpAddress, networkOf, parseClientAddress } from "../../shared/ip-address.js";
import { valueAt } from "../../shared/objects.js";
import { isPublicCaller } from "../subjects/trusted-caller.js";

/**
 * The source of an attempt, the same text for all addresses of one host. Calls without an address, such as in-process ones, count
 * as one source.
 */
export function sourceOfAttempt(call: OperationCall): string {
  const address = addressOfLogin(call);
  if (address !== undefined) return networkOf(address);
  if (isPublicCaller(call)) warn(call.service);
  return "unknown";
}

/**
 * The address of the user: `ipAddress` of the request if the caller speaks for others (an API key, a client, the host), else the
 * source of the request. Undefined for in-process calls without `ipAddress`.
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
