import { defineRoutes, type Route } from "../../http/route/define-route.js";
import {
  type AnyOperation,
  defineOperation,
  lazyOperation,
  type OperationSignature,
  type OperationsOf,
} from "../../operations/operation.js";
import type { ModerationNotification } from "./schema.js";

/** What a moderation service can report (docs/reference/integrations.md#moderation). */
export interface ModerationOperations {
  /** Takes decisions of a moderator; unknown ids and types change nothing. */
  readonly notify: OperationSignature<ModerationNotification, undefined>;
}

export const moderationOperations: OperationsOf<ModerationOperations> = {
  notify: defineOperation(
    "moderation.notify",
    [],
    lazyOperation(() => import("../../accounts/moderation/notify-moderation.js"), "notifyModeration"),
  ),
};

export const moderationRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/moderation/notify", "tenant", moderationOperations.notify],
]);
