/**
 * The settings that a message producer may be built from. None of them names a class, a file, a command or another host to
 * ask for credentials: settings come from callers, and the process is the host's.
 */
const producerSettings: ReadonlySet<string> = new Set([
  "acks",
  "batch.size",
  "bootstrap.servers",
  "buffer.memory",
  "client.dns.lookup",
  "client.id",
  "compression.type",
  "connections.max.idle.ms",
  "delivery.timeout.ms",
  "enable.idempotence",
  "linger.ms",
  "max.block.ms",
  "max.in.flight.requests.per.connection",
  "max.request.size",
  "metadata.max.age.ms",
  "metadata.max.idle.ms",
  "receive.buffer.bytes",
  "reconnect.backoff.max.ms",
  "reconnect.backoff.ms",
  "request.timeout.ms",
  "retries",
  "retry.backoff.max.ms",
  "retry.backoff.ms",
  "sasl.jaas.config",
  "sasl.mechanism",
  "sasl.password",
  "sasl.username",
  "security.protocol",
  "send.buffer.bytes",
  "socket.connection.setup.timeout.max.ms",
  "socket.connection.setup.timeout.ms",
  "ssl.cipher.suites",
  "ssl.enabled.protocols",
  "ssl.key.password",
  "ssl.keystore.certificate.chain",
  "ssl.keystore.key",
  "ssl.keystore.type",
  "ssl.protocol",
  "ssl.truststore.certificates",
  "ssl.truststore.type",
]);

/** What is wrong with the settings of a producer, or undefined: those that are not among the ones that it may have. */
export function findProducerError(settings: Readonly<Record<string, string>>): string | undefined {
  const unknown = Object.keys(settings).filter((name) => !producerSettings.has(name));
  const names = unknown.slice(0, 10).map((name) => `“${name.slice(0, 60)}”`);
  return unknown.length === 0 ? undefined : `These are not among the settings that it may have: ${names.join(", ")}.`;
}
