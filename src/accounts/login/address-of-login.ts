import type { OperationCall } from "../../operations/operation.js";
import { parseIpAddress } from "../../shared/ip-address.js";
import { valueAt } from "../../shared/objects.js";

/**
 * Where the user of a login is: what the body says in `ipAddress` when the caller has a credential, such as an application that logs its
 * users in, and the source of the request otherwise. Undefined in process, when nothing is said.
 */
export function addressOfLogin(call: OperationCall): string | undefined {
  const said = call.principal === undefined ? undefined : (valueAt(call.body, "ipAddress") ?? call.params.ipAddress);
  const address = typeof said === "string" ? parseIpAddress(said)?.text : undefined;
  return address ?? (call.request && call.service.addressOf(call.request));
}
