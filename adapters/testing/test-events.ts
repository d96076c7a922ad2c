import type { RecordedEvent } from "latchkey";
import type { BrokerMessage, OutboundRequest } from "latchkey/ports";
import type { EventShapes, PublishedType } from "latchkey/types";
import type { Captured, TestHttp } from "./fake-services.js";

/** An event of one type, as receivers get it. */
export type SentEvent<Type extends PublishedType> = RecordedEvent & EventShapes[Type] & { readonly type: Type };

/** An event on its way to a webhook: what a receiver gets, and can verify with `verifyWebhook`. */
export interface WebhookDelivery {
  /** The webhook's URL. */
  readonly url: string;
  /** The request's headers, with the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes that are signed. */
  readonly body: string;
  /** The event in the body. */
  readonly event: RecordedEvent;
}

/** The events that left the service: to a broker that every event goes to, and to its webhooks. */
export interface TestEvents {
  /** Each event once, in the order in which they were first sent. */
  readonly sent: readonly RecordedEvent[];
  /** Those of one type. */
  ofType<Type extends PublishedType>(type: Type): readonly SentEvent<Type>[];
  ofType(type: string): readonly RecordedEvent[];
  /** Each attempt at a webhook. */
  readonly deliveries: readonly WebhookDelivery[];
}

/** Reads events out of what left the service. */
export function createTestEvents(broker: Captured<BrokerMessage, unknown>, http: TestHttp): TestEvents {
  const deliveries = (): readonly WebhookDelivery[] => http.sent.flatMap(toDelivery);
  const sent = (): readonly RecordedEvent[] => {
    const all = [...broker.sent.map(({ value }) => readEvent(value)), ...deliveries().map(({ event }) => event)];
    return [...new Map(all.map((event) => [event.id, event])).values()];
  };
  return {
    get sent() {
      return sent();
    },
    get deliveries() {
      return deliveries();
    },
    ofType: <Type extends PublishedType>(type: Type) => sent().filter((event) => event.type === type) as SentEvent<Type>[],
  };
}

const eventStart = '{"event":';

// The service's other calls go elsewhere; only events arrive there.
function toDelivery({ body = "", headers, url }: OutboundRequest): readonly WebhookDelivery[] {
  return body.startsWith(eventStart) ? [{ url, headers, body, event: readEvent(body) }] : [];
}

function readEvent(text: string): RecordedEvent {
  return (JSON.parse(text) as { readonly event: RecordedEvent }).event;
}
