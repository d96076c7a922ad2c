import { CanonicalText } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { publishEvents } from "../../operations/outbox/publish-event.js";
import { describeRegistrations } from "../../people/registrations/registration-events.js";
import type { Registration } from "../../records/users/schema.js";
import type { UserToStore } from "../bulk-users/import-drafts.js";
import { auditUsers } from "../bulk-users/import-users.js";

/** Publishes an event for each new user and registration, like the calls that create one. */
export async function publishEach(call: WriteCall, tenantId: string, users: readonly UserToStore[]): Promise<void> {
  await publishEvents(
    call,
    users.map(({ record, shown }) => {
      const fields = { user: new CanonicalText(shown) };
      return { type: "user.create", tenantId, linkedObjectId: record.id, fields };
    }),
  );
  const registered = users.flatMap(({ record, registrations }) =>
    registrations.map((one) => ({ userId: record.id, registration: parseRecord<Registration>(one) })),
  );
  if (registered.length > 0) await publishEvents(call, await describeRegistrations(call, "user.registration.create", registered));
  await auditUsers(call, tenantId, users);
}
