import type { Principal } from "../../http/authenticate/principal.js";

/** Who caused an event. The host has no id; a caller without a credential, such as at a login or a visitor of the pages, is anonymous. */
export interface Actor {
  /** The kind of caller. */
  readonly type: Exclude<Principal["kind"], "visitor">;
  /** Of the API key, the user or the entity. */
  readonly id?: string;
}

/** Location of the actor; absent where it is unknown (docs/reference/webhooks.md#request-to-the-receiver). */
export interface EventInfo {
  /** A description of the device, as the host gives it. */
  readonly deviceDescription?: string | undefined;
  /** The name of the device, as the host gives it. */
  readonly deviceName?: string | undefined;
  /** The kind of device, as the host gives it. */
  readonly deviceType?: string | undefined;
  /** The address of the actor, IPv4 or IPv6. */
  readonly ipAddress?: string | undefined;
  /** The operating system, as the host gives it. */
  readonly os?: string | undefined;
  /** The header `User-Agent` of the request. */
  readonly userAgent?: string | undefined;
}

/** What an event says of the call that caused it. */
export interface Origin {
  readonly actor?: Actor;
  readonly info?: EventInfo;
}

/** An event as it leaves: the envelope and the members of its kind (docs/reference/webhooks.md#request-to-the-receiver). */
export interface RecordedEvent {
  /** A UUID, the same for all receivers and attempts: remove repeats by it. */
  readonly id: string;
  /** The name of the event, such as `user.create`. */
  readonly type: string;
  /** When it was recorded, in epoch milliseconds. */
  readonly createInstant: number;
  /** The tenant; absent for events of the instance. */
  readonly tenantId?: string;
  /** The id of the user, group or entity that it is about. */
  readonly linkedObjectId?: string;
  /** Who caused it; absent where nobody is known. */
  readonly actor?: Actor;
  /** Where the actor was; absent in process. */
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
