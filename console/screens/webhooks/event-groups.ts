import { type EventType, eventTypes } from "../../../src/availability/event-types.js";

/** Events of one group, by the start of their names. */
export interface EventGroup {
  readonly id: string;
  readonly events: readonly EventType[];
}

const order = [
  "user",
  "login",
  "password",
  "registration",
  "two-factor",
  "identity",
  "group",
  "member",
  "entity",
  "token",
  "instance",
];

/** The events to which a webhook can subscribe, in groups. Omits `test`, to which webhooks do not subscribe. */
export const eventGroups: readonly EventGroup[] = order.map((id) => ({
  id,
  events: eventTypes.filter((type) => type.scope !== "webhook" && groupOf(type) === id),
}));

/** Returns the group of an event. */
export function groupOf({ name, scope }: Pick<EventType, "name" | "scope">): string {
  if (scope === "instance") return "instance";
  if (name.startsWith("jwt.")) return "token";
  if (name.startsWith("group.member")) return "member";
  if (name.startsWith("group.")) return "group";
  if (name.startsWith("entity.")) return "entity";
  const [, second = ""] = name.split(".");
  if (["login", "password", "registration", "two-factor"].includes(second)) return second;
  return second.startsWith("identity") || second === "loginId" || second === "email" ? "identity" : "user";
}
