import type { EventShapes, PublishedType } from "../delivery/events/event-shapes.js";
import type { EventInfo, RecordedEvent } from "../operations/events/recorded-event.js";
import { defineOperation, type OperationSignature, type OperationsOf } from "../operations/operation.js";
import { lazily } from "../shared/async.js";

/** An event that a host publishes, of one type. */
export type EventOf<Type extends PublishedType> = EventShapes[Type] & {
  readonly type: Type;
  /** Whose event it is; need not be said where there is one tenant only, and must not for events of the instance. */
  readonly tenantId?: string | undefined;
  /** The id of what the event is about. Default: that of its user, group or entity. */
  readonly linkedObjectId?: string | undefined;
  readonly info?: EventInfo | undefined;
};

/** An event that a host publishes: the type decides about the other members (docs/reference/events.md#event-types). */
export type PublishInput = { [Type in PublishedType]: EventOf<Type> }[PublishedType];

/** What a host can do with events beside receiving them. */
export interface EventOperations {
  /**
   * Publishes an event as the service does its own ones: kept in the outbox, delivered at least once, asked about first where the tenant
   * wants that and it is not part of the host's own transaction. A `.complete` twin is sent along.
   */
  readonly publish: OperationSignature<PublishInput, { readonly event: RecordedEvent }>;
  /**
   * Puts events that could not be delivered and were set aside back into the outbox: call it once the reason is gone. They go to the receivers
   * that want them now. `kept` counts the records that hold no event and stay set aside.
   */
  readonly retrySetAside: OperationSignature<Record<never, never>, { readonly retried: number; readonly kept: number }>;
}

const loadCalls = lazily(() => import("./in-process-calls.js"));

export const eventOperations: OperationsOf<EventOperations> = {
  publish: defineOperation("events.publish", [], async (call) => (await loadCalls()).publishGiven(call)),
  retrySetAside: defineOperation("events.retrySetAside", [], async (call) => (await loadCalls()).retrySetAside(call)),
};

/** A text message that a host sends. */
export interface SendSmsInput {
  /** The number that it goes to. Default: the user's. */
  readonly mobilePhone?: string | undefined;
  /** What it says, in 1,600 characters at most. */
  readonly textMessage: string;
  /** Whose message it is; need not be said where a user is named or where there is one tenant only. */
  readonly tenantId?: string | undefined;
  /** Somebody in the directory whom it is for. */
  readonly userId?: string | undefined;
  /** Whether to send it at once and report whether it was accepted, instead of sending it after the commit. */
  readonly wait?: boolean | undefined;
}

/** What a host can do with text messages. */
export interface SmsOperations {
  /**
   * Sends a text message: kept in the transaction of the call, sent after its commit and tried again until it is taken; with `wait` at once,
   * or not at all. `id` is what it leaves under.
   */
  readonly send: OperationSignature<SendSmsInput, { readonly id: string }>;
}

export const smsOperations: OperationsOf<SmsOperations> = {
  send: defineOperation("sms.send", [], async (call) => (await loadCalls()).sendSms(call)),
};
