import { defineRoutes } from "../../http/route/define-route.js";
import { customOperation, type FamilyRow } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { ModerationNotification } from "./schema.js";

/** The calls of a moderation service (docs/reference/integrations.md#moderation). */
export interface ModerationOperations {
  /** Accepts decisions of a moderator; unknown ids and types change nothing. */
  readonly notify: OperationSignature<ModerationNotification, undefined>;
}

/** The family of moderation calls. */
export const moderationFamily: FamilyRow<"moderation", ModerationOperations> = {
  name: "moderation",
  operations: { notify: customOperation() },
  routes: defineRoutes([["POST", "/api/moderation/notify", "tenant", "notify"]]),
};
