/** docs/broker.md: NATS JetStream. test/events/broker-nats.test.ts runs it where there is a server. */
import { jetstream } from "@nats-io/jetstream";
import { connect, headers, type NatsConnection } from "@nats-io/transport-node";
import { natsBroker } from "latchkey/brokers";
import type { BrokerFactory } from "latchkey/ports";

/** A broker, and the connection that the host closes. */
export async function connectBroker(
  servers: string,
): Promise<{ readonly broker: BrokerFactory; readonly connection: NatsConnection }> {
  const connection = await connect({ servers });
  const broker = natsBroker({ jetstream: jetstream(connection), headers });
  return { broker, connection };
}
