/** The settings of a producer, read from the integration `broker`. Times are milliseconds. */
export interface KafkaSettings {
  /** `host:port` of some brokers of the cluster. */
  readonly brokers: readonly string[];
  /** Name of this client in the brokers' logs. Default: the library's own. */
  readonly clientId: string;
  /** How many replicas must acknowledge a message: all (-1), the leader (1) or none (0). */
  readonly acks: -1 | 0 | 1;
  /** Connection timeout, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Request timeout, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** How often a request is repeated before an attempt counts as failed. */
  readonly retries: number;
  /** Whether the broker drops duplicates of the producer's retries. */
  readonly isIdempotent: boolean;
  /** Whether messages are compressed with gzip. */
  readonly isCompressed: boolean;
  /** TLS settings; undefined: an unencrypted connection. */
  readonly tls: KafkaTls | undefined;
  /** Credentials for the broker; undefined: none. */
  readonly sasl: KafkaCredentials | undefined;
}

/** Certificates and keys, all in PEM. Absent: the authorities that Node trusts, and no client certificate. */
export interface KafkaTls {
  /** Trusted certificates, in PEM. */
  readonly ca?: string | undefined;
  /** The client's certificate, in PEM. */
  readonly cert?: string | undefined;
  /** The client's private key, in PEM. Secret. */
  readonly key?: string | undefined;
  /** The passphrase of `key`. Secret. */
  readonly passphrase?: string | undefined;
}

/** The credentials of the producer. */
export type KafkaCredentials = {
  [Mechanism in (typeof mechanisms)[keyof typeof mechanisms]]: {
    readonly mechanism: Mechanism;
    readonly username: string;
    readonly password: string;
  };
}[(typeof mechanisms)[keyof typeof mechanisms]];

const mechanisms = { PLAIN: "plain", "SCRAM-SHA-256": "scram-sha-256", "SCRAM-SHA-512": "scram-sha-512" } as const;

type Producer = Readonly<Record<string, string>>;

/**
 * Reads the settings of a producer. Settings that only tune batching and buffering of the reference's client have no effect.
 * @throws TypeError naming an unsupported setting; never its value.
 */
export function readKafkaSettings(producer: Producer): KafkaSettings {
  const protocol = oneOf(producer, "security.protocol", ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"], "PLAINTEXT");
  return Object.freeze({
    brokers: toBrokers(producer["bootstrap.servers"] ?? ""),
    clientId: producer["client.id"] ?? "latchkey",
    acks: { "0": 0, "1": 1, "-1": -1, all: -1 }[oneOf(producer, "acks", ["all", "-1", "0", "1"], "all")] as -1 | 0 | 1,
    connectTimeoutMs: toNumber(producer, "socket.connection.setup.timeout.ms", 5_000, 1),
    requestTimeoutMs: toNumber(producer, "request.timeout.ms", 5_000, 1),
    retries: toNumber(producer, "retries", 2, 0),
    isIdempotent: oneOf(producer, "enable.idempotence", ["true", "false"], "false") === "true",
    isCompressed: oneOf(producer, "compression.type", ["none", "gzip"], "none") === "gzip",
    tls: protocol.endsWith("SSL") ? toTls(producer) : undefined,
    sasl: protocol.startsWith("SASL") ? toCredentials(producer) : undefined,
  });
}

function oneOf<Value extends string>(producer: Producer, name: string, values: readonly Value[], fallback: Value): Value {
  const wanted = producer[name]?.trim() ?? fallback;
  const found = values.find((value) => value.toLowerCase() === wanted.toLowerCase());
  if (found === undefined) throw new TypeError(`${name} must be one of ${values.join(", ")}.`);
  return found;
}

function toNumber(producer: Producer, name: string, fallback: number, least: number): number {
  const value = Number(producer[name] ?? fallback);
  if (!Number.isSafeInteger(value) || value < least) throw new TypeError(`${name} must be a whole number, ${least} at least.`);
  return Math.min(value, 2_147_483_647);
}

const brokerShape = /^(?:[\w.-]+|\[[\da-fA-F:.]+\]):\d{1,5}$/;

function toBrokers(text: string): readonly string[] {
  const brokers = text.split(",").map((broker) => broker.trim().replace(/^(?:PLAINTEXT|SSL|SASL_PLAINTEXT|SASL_SSL):\/\//, ""));
  if (!brokers.every((broker) => brokerShape.test(broker)))
    throw new TypeError("bootstrap.servers must be a list such as one.example.com:9092,two.example.com:9092.");
  return brokers;
}

function toTls(producer: Producer): KafkaTls {
  for (const name of ["ssl.keystore.type", "ssl.truststore.type"]) oneOf(producer, name, ["PEM"], "PEM");
  // The client cannot turn off the check of names in certificates.
  oneOf(producer, "ssl.endpoint.identification.algorithm", ["https"], "https");
  return {
    ca: producer["ssl.truststore.certificates"],
    cert: producer["ssl.keystore.certificate.chain"],
    key: producer["ssl.keystore.key"],
    passphrase: producer["ssl.key.password"],
  };
}

function toCredentials(producer: Producer): KafkaCredentials {
  const names = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;
  const mechanism = mechanisms[oneOf(producer, "sasl.mechanism", names, "PLAIN")];
  const username = producer["sasl.username"] ?? fromJaas(producer, "username");
  const password = producer["sasl.password"] ?? fromJaas(producer, "password");
  if (username === undefined || password === undefined)
    throw new TypeError("sasl.username and sasl.password, or sasl.jaas.config with both, must be given.");
  return { mechanism, username, password };
}

// The one-line form of the reference's client: `… required username="u" password="p";`.
function fromJaas(producer: Producer, name: "username" | "password"): string | undefined {
  const quoted = new RegExp(`\\b${name}\\s*=\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(producer["sasl.jaas.config"] ?? "")?.[1];
  return quoted?.replace(/\\(.)/g, "$1");
}
