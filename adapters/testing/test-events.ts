import type { RecordedEvent } from "latchkey";
import type { BrokerMessage, OutboundRequest } from "latchkey/ports";
import type { EventShapes, PublishedType } from "latchkey/types";
import type { Captured, TestHttp } from "./fake-services.js";

/** An event of one type, as receivers get it. */
export type SentEvent<Type extends PublishedType> = RecordedEvent & EventShapes[Type] & { readonly type: Type };

/** A request to a webhook, which `verifyWebhook` can verify. */
export interface WebhookDelivery {
  /** The webhook's URL. */
  readonly url: string;
  /** The request's headers, with the signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** The signed bytes. */
  readonly body: string;
  /** The event in the body. */
  readonly event: RecordedEvent;
}

/** The published events: to the broker, which gets every event, and to webhooks. */
export interface TestEvents {
  /** Each event once, in the order of the first attempts. */
  readonly sent: readonly RecordedEvent[];
  /** The events of one type. */
  ofType<Type extends PublishedType>(type: Type): readonly SentEvent<Type>[];
  ofType(type: string): readonly RecordedEvent[];
  /** Each attempt to deliver to a webhook. */
  readonly deliveries: readonly WebhookDelivery[];
}

/** Reads the events in the captured messages. */
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

// Other HTTP calls of the service never start this way.
function toDelivery({ body = "", headers, url }: OutboundRequest): readonly WebhookDelivery[] {
  return body.startsWith(eventStart) ? [{ url, headers, body, event: readEvent(body) }] : [];
}

function readEvent(text: string): RecordedEvent {
  return (JSON.parse(text) as { readonly event: RecordedEvent }).event;
}
