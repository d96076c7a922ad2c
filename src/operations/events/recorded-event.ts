import type { Principal } from "../../http/authenticate/principal.js";

/**
 * The cause of an event. The host has no id; a caller without a credential, such as at a login or a visitor of the pages, is
 * anonymous.
 */
export interface Actor {
  /** The kind of caller. */
  readonly type: Exclude<Principal["kind"], "visitor">;
  /** The id of the API key, user or entity. */
  readonly id?: string;
}

/** Location of the actor; absent where it is unknown (docs/reference/webhooks.md#request-to-the-receiver). */
export interface EventInfo {
  /** A description of the device, from the host. */
  readonly deviceDescription?: string | undefined;
  /** The name of the device, from the host. */
  readonly deviceName?: string | undefined;
  /** The kind of device, from the host. */
  readonly deviceType?: string | undefined;
  /** The address of the actor, IPv4 or IPv6. */
  readonly ipAddress?: string | undefined;
  /** The operating system, from the host. */
  readonly os?: string | undefined;
  /** The header `User-Agent` of the request. */
  readonly userAgent?: string | undefined;
}

/** The actor and location that an event takes from its call. */
export interface Origin {
  readonly actor?: Actor;
  readonly info?: EventInfo;
}

/** An event as it is sent: the envelope and the members of its type (docs/reference/webhooks.md#request-to-the-receiver). */
export interface RecordedEvent {
  /** A UUID, the same for all receivers and attempts: deduplicate by it. */
  readonly id: string;
  /** The name of the event, such as `user.create`. */
  readonly type: string;
  /** The instant of recording, in epoch milliseconds. */
  readonly createInstant: number;
  /** The tenant; absent for events of the instance. */
  readonly tenantId?: string;
  /** The id of the event's user, group or entity. */
  readonly linkedObjectId?: string;
  /** The actor that caused the event; absent where unknown. */
  readonly actor?: Actor;
  /** The location of the actor; absent in process. */
  readonly info?: EventInfo;
  readonly [member: string]: unknown;
}

/**
 * An event about to be recorded: its type, its owner, and the members of its type beside the envelope
 * (docs/reference/webhooks.md#request-to-the-receiver).
 */
export interface NewEvent {
  readonly type: string;
  /** Absent on events of the whole instance. */
  readonly tenantId?: string;
  /** The id of the record that the event is about. */
  readonly linkedObjectId?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}
