import { type AnyOperation, defineOperation, type Operation } from "../../operations/operation.js";
import { defineRoutes, type Route } from "../../route/define-route.js";
import { lazily } from "../../values/lazily.js";
import type { ModerationNotification } from "./schema.js";

const loadOnDemand = lazily(() => import("../../on-demand.js"));

/** What a moderation service can tell (facts.md 8.1). */
export interface ModerationOperations {
  readonly notify: Operation<ModerationNotification, undefined>;
}

export const moderationOperations: ModerationOperations = {
  notify: defineOperation("moderation.notify", [], async (call) => (await loadOnDemand()).notifyModeration(call)),
};

export const moderationRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/moderation/notify", "tenant", moderationOperations.notify],
]);
