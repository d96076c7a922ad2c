import { defineRoutes, type Route } from "../../http/route/define-route.js";
import { type AnyOperation, defineOperation, lazyOperation, type Operation } from "../../operations/operation.js";
import type { ModerationNotification } from "./schema.js";

/** What a moderation service can report (docs/reference/integrations.md#moderation). */
export interface ModerationOperations {
  readonly notify: Operation<ModerationNotification, undefined>;
}

export const moderationOperations: ModerationOperations = {
  notify: defineOperation(
    "moderation.notify",
    [],
    lazyOperation(() => import("../../accounts/moderation/notify-moderation.js"), "notifyModeration"),
  ),
};

export const moderationRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/moderation/notify", "tenant", moderationOperations.notify],
]);
