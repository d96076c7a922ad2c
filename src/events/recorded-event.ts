import type { Principal } from "../authenticate/principal.js";

/** Who caused an event. The host has no id; whoever calls without a credential, as to log in, is nobody. */
export interface Actor {
  readonly type: Principal["kind"];
  /** Of the API key, the user or the entity. */
  readonly id?: string;
}

/** Where whoever caused an event is; absent where it is not known (facts.md 3.1). */
export interface EventInfo {
  readonly deviceDescription?: string | undefined;
  readonly deviceName?: string | undefined;
  readonly deviceType?: string | undefined;
  readonly ipAddress?: string | undefined;
  readonly os?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** An event as it leaves: the envelope and the members of its kind (facts.md 3.1). */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly createInstant: number;
  readonly tenantId?: string;
  readonly linkedObjectId?: string;
  /** Who caused it; absent where nobody is known. */
  readonly actor?: Actor;
  readonly info?: EventInfo;
  readonly [member: string]: unknown;
}
