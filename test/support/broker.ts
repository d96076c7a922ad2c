import type { Broker, BrokerFactory, BrokerMessage, BrokerSettings, SendOutcome } from "latchkey/ports";
import { globalScope } from "../../src/ports/storage.js";
import { webhookEventLogsTable } from "../../src/records/webhook-event-logs/family.js";
import { expectOk } from "./answer.js";
import { integrationsPath } from "./integrations.js";
import type { World } from "./world.js";

/** The required fields of a broker integration. */
export const leastBroker = { enabled: true, defaultTopic: "identity.events", producer: { "client.id": "tests" } };

/** Enables the integration, with these fields. */
export async function enableBroker({ caller }: World, fields: object = {}): Promise<void> {
  expectOk(await caller.put(integrationsPath, { integrations: { broker: { ...leastBroker, ...fields } } }));
}

/** A host function that records its messages. */
export interface TestBroker {
  readonly factory: BrokerFactory;
  readonly messages: readonly BrokerMessage[];
  /** The settings of every created broker. */
  readonly made: readonly BrokerSettings[];
  readonly closed: readonly BrokerSettings[];
}

/** Creates brokers that answer with `answer`. */
export function makeTestBroker(answer: () => Promise<SendOutcome> = async () => ({ kind: "ok" })): TestBroker {
  const messages: BrokerMessage[] = [];
  const [made, closed]: [BrokerSettings[], BrokerSettings[]] = [[], []];
  const factory = (settings: BrokerSettings): Broker => {
    made.push(settings);
    return {
      publish: (message) => {
        messages.push(message);
        return answer();
      },
      close: async () => void closed.push(settings),
    };
  };
  return { factory, messages, made, closed };
}

/** The part of an event log that tests compare. */
export interface ShownLog {
  readonly id: string;
  readonly eventResult: string;
  readonly eventType: string;
  readonly failedAttempts: number;
  readonly successfulAttempts: number;
}

/** The logs of all events with receivers. */
export async function readLogs({ storage }: World): Promise<readonly ShownLog[]> {
  return (await storage.find(globalScope, webhookEventLogsTable, undefined)).map(({ json }) => JSON.parse(json));
}
