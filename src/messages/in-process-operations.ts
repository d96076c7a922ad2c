import type { EventShapes, PublishedType } from "../delivery/events/event-shapes.js";
import type { EventInfo, RecordedEvent } from "../operations/events/recorded-event.js";
import { defineOperation, type OperationSignature, type OperationsOf } from "../operations/operation.js";
import { lazily } from "../shared/async.js";

/** An event of one type that a host publishes. */
export type EventOf<Type extends PublishedType> = EventShapes[Type] & {
  readonly type: Type;
  /** The tenant of the event. Optional with a single tenant; not allowed for events of the instance. */
  readonly tenantId?: string | undefined;
  /** The id of the object of the event. Default: that of its user, group or entity. */
  readonly linkedObjectId?: string | undefined;
  readonly info?: EventInfo | undefined;
};

/** An event that a host publishes; the type determines the other members (docs/reference/events.md#event-types). */
export type PublishInput = { [Type in PublishedType]: EventOf<Type> }[PublishedType];

/** Operations of a host on events. */
export interface EventOperations {
  /**
   * Publishes an event like the service's own: stored in the outbox and delivered at least once. Webhooks confirm it first if
   * the tenant requires that and the call is not part of the host's own transaction. Also sends a `.complete` twin.
   */
  readonly publish: OperationSignature<PublishInput, { readonly event: RecordedEvent }>;
  /**
   * Moves undeliverable events that were set aside back into the outbox; call it after the cause is fixed. They are sent to the
   * receivers that subscribe to them now. `kept` is the number of records without an event, which stay set aside.
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
  /** The number. Default: that of the user. */
  readonly mobilePhone?: string | undefined;
  /** The text, at most 1,600 characters. */
  readonly textMessage: string;
  /** The tenant of the message. Optional with a user, or with a single tenant. */
  readonly tenantId?: string | undefined;
  /** The recipient's id in the directory. */
  readonly userId?: string | undefined;
  /** Whether to send it at once and report the result, instead of sending it after the commit. */
  readonly wait?: boolean | undefined;
}

/** Operations of a host on text messages. */
export interface SmsOperations {
  /**
   * Sends a text message: stored in the transaction of the call, sent after its commit and retried until it is accepted; with
   * `wait` sent at once, without retries. `id` is the id of the message.
   */
  readonly send: OperationSignature<SendSmsInput, { readonly id: string }>;
}

export const smsOperations: OperationsOf<SmsOperations> = {
  send: defineOperation("sms.send", [], async (call) => (await loadCalls()).sendSms(call)),
};
