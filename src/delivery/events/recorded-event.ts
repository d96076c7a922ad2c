import type { Principal } from "../../http/authenticate/principal.js";

/** Who caused an event. The host has no id; a caller without a credential, such as at a login, is anonymous. */
export interface Actor {
  readonly type: Principal["kind"];
  /** Of the API key, the user or the entity. */
  readonly id?: string;
}

/** Location of the actor; absent where it is unknown (docs/reference/webhooks.md#request-to-the-receiver). */
export interface EventInfo {
  readonly deviceDescription?: string | undefined;
  readonly deviceName?: string | undefined;
  readonly deviceType?: string | undefined;
  readonly ipAddress?: string | undefined;
  readonly os?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** What an event says of the call that caused it. */
export interface Origin {
  readonly actor?: Actor;
  readonly info?: EventInfo;
}

/** An event as it leaves: the envelope and the members of its kind (docs/reference/webhooks.md#request-to-the-receiver). */
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

/** An event about to be recorded: its type, whose it is, and the members that its kind has beside the envelope (docs/reference/webhooks.md#request-to-the-receiver). */
export interface NewEvent {
  readonly type: string;
  /** Absent on events of the whole instance. */
  readonly tenantId?: string;
  /** The id of the record that the event is about. */
  readonly linkedObjectId?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}
