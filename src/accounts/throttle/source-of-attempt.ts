import { isIPv4 } from "node:net";
import type { OperationCall } from "../../operations/operation.js";
import { parseIpAddress } from "../../shared/ip-address.js";
import { isObjectOrList, valueAt } from "../../shared/objects.js";

/**
 * Where an attempt comes from, as a text that all addresses of one host have in common: an IPv4 address, or the first half of an IPv6
 * address, since one host controls its whole range.
 * A caller with a key or a client's token, or the host itself, speaks for others: the `ipAddress` of
 * its body is theirs. Calls without any address, such as those in process that name none, count as one source.
 */
export function sourceOfAttempt(call: OperationCall): string {
  const { body, principal, request, service } = call;
  const named = principal === undefined || principal.kind === "user" ? undefined : readIpAddress(body);
  return named ?? toSource(request === undefined ? undefined : service.addressOf(request)) ?? unknownSource;
}

const unknownSource = "unknown";

function readIpAddress(body: unknown): string | undefined {
  const named = isObjectOrList(body) && "ipAddress" in body ? body.ipAddress : undefined;
  return typeof named === "string" && parseIpAddress(named.trim()) !== undefined ? toSource(named.trim()) : undefined;
}

function toSource(text: string | undefined): string | undefined {
  if (text !== undefined && isIPv4(text)) return text;
  const address = text === undefined ? undefined : parseIpAddress(text.replace(/%.*$/s, ""));
  if (address === undefined) return text;
  return address.version === 4 ? address.text : `${address.value >> 64n}/64`;
}

/**
 * Where the user of a login is: what the body says in `ipAddress` when the caller has a credential, such as an application that logs its
 * users in, and the source of the request otherwise. Undefined in process, when nothing is said.
 */
export function addressOfLogin(call: OperationCall): string | undefined {
  const said = call.principal === undefined ? undefined : (valueAt(call.body, "ipAddress") ?? call.params.ipAddress);
  const address = typeof said === "string" ? parseIpAddress(said)?.text : undefined;
  return address ?? (call.request && call.service.addressOf(call.request));
}
