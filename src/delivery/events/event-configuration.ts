import { eventTypes } from "./event-types.js";

/** What a tenant says about one event (docs/reference/webhooks.md#transactional-events). */
export interface EventSetting {
  readonly enabled: boolean;
  readonly transactionType: "None" | "Any" | "SimpleMajority" | "SuperMajority" | "AbsoluteMajority";
}

const typesByName = new Map(eventTypes.map((type) => [type.name, type]));

/** Whether any version has an event of this name. */
export function isEventName(name: string): boolean {
  return typesByName.has(name);
}

/**
 * The settings that can have an effect: those of tenant events, with `None` where receivers are never asked first. Settings of other
 * events, of the instance or of no version, are left out.
 */
export function toEffectiveSettings(events: Readonly<Record<string, EventSetting>>): Record<string, EventSetting> {
  const effective = Object.entries(events).flatMap(([name, setting]): [string, EventSetting][] => {
    const type = typesByName.get(name);
    if (type?.scope !== "tenant") return [];
    return [[name, type.isTransactional ? setting : { ...setting, transactionType: "None" }]];
  });
  return Object.fromEntries(effective);
}
