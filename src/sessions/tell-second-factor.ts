import { publishEvent } from "../events/publish-event.js";
import type { WriteCall } from "../operations/operation.js";
import type { StoredRecord } from "../ports/storage.js";
import { addressOfLogin } from "./address-of-login.js";
import { presentUser } from "./present-user.js";

/** Tells what became of the second factor of a login (facts.md 3.7, the events of 1.68.0), where it is sent at all. */
export async function tellSecondFactor(
  call: WriteCall,
  what: "challenge" | "failed-attempt" | "success",
  { user, applicationId }: { readonly user: StoredRecord; readonly applicationId: string | undefined },
): Promise<void> {
  const type = `user.two-factor.${what}`;
  if (!call.service.availability.isSent(type)) return;
  const fields = { applicationId, ipAddress: addressOfLogin(call), user: JSON.parse(await presentUser(call, user)) };
  await publishEvent(call, { type, tenantId: user.tenantId ?? "", linkedObjectId: user.id, fields });
}
