import { writeEventLog } from "../../audit/event-logs/rules.js";
import { generalError } from "../../errors/identity-error.js";
import { openRecord } from "../../operations/family/wire-records.js";
import { isInsideHost, type OperationCall } from "../../operations/operation.js";
import type { ConnectorUser, PasswordConnector, SignInRecord } from "../../ports/sign-in.js";
import { SignInError } from "../../ports/sign-in.js";
import { globalScope } from "../../ports/storage.js";
import { connectorFamily, connectorsTable } from "../../records/connectors/family.js";
import type { Connector } from "../../records/connectors/schema.js";
import type { EventLogType } from "../../records/event-logs/schema.js";
import { within } from "../../shared/async.js";
import { toSignInHost } from "../steps/sign-in-host.js";
import { createHttpConnector } from "./http-connector.js";

/** A password for a connector to check. */
export interface PasswordToCheck {
  readonly connectorId: string;
  readonly loginId: string;
  readonly password: string;
}

/** A correct password, and its user in the connector's response. */
export interface VerifiedPassword {
  readonly connector: Connector;
  readonly answer: ConnectorUser;
}

/** The result of a connector call. */
export type ConnectorOutcome =
  | ({ readonly kind: "right" } & VerifiedPassword)
  | { readonly kind: "unavailable" }
  | { readonly kind: "wrong" };

/**
 * Checks a password with a connector. Call it outside of transactions: it takes up to both timeouts of the connector.
 * @throws IdentityError 409 within a transaction of the host, which must not wait for another system.
 */
export async function callConnector(call: OperationCall, asked: PasswordToCheck): Promise<ConnectorOutcome> {
  if (isInsideHost(call)) throw generalError("wrongState", "A connector cannot be asked within a transaction of the host.");
  const stored = await call.reader.retrieve(globalScope, connectorsTable, asked.connectorId);
  // Many servers treat an empty password as an anonymous login, which succeeds.
  if (stored === undefined || asked.password === "") return { kind: "wrong" };
  const connector = openRecord<Connector>(call.service.sealer, connectorFamily, stored);
  try {
    const answer = await askInTime(call, connector, asked);
    const kind = answer === undefined ? "wrong" : "right";
    if (connector.debug) await note(call, "Debug", `${describe(connector)} was asked for ${asked.loginId}: ${kind}.`);
    return answer === undefined ? { kind: "wrong" } : { kind: "right", connector, answer };
  } catch (error) {
    call.service.runtime.logger.warn({ connectorId: connector.id, err: error }, "a connector did not answer");
    const reason = error instanceof SignInError ? error.message : "an unexpected error.";
    await note(call, "Error", `${describe(connector)} could not be asked: ${reason}`);
    return { kind: "unavailable" };
  }
}

const late = Symbol("late");

/** Waits for a free slot of the bulkhead, then for the answer. A client that does not settle in time is abandoned. */
async function askInTime(
  call: OperationCall,
  connector: Connector,
  { loginId, password }: PasswordToCheck,
): Promise<ConnectorUser | undefined> {
  const { connectTimeout = 1_000, id, readTimeout = 1_000 } = connector;
  const { timers } = call.service.runtime;
  const client = await findClient(call, connector);
  const trusted = await findCertificates(call, connector);
  const record: SignInRecord = { ...connector, ...(trusted.length > 0 && { sslCertificate: trusted.join("\n") }) };
  const ask = async (): Promise<ConnectorUser | undefined | typeof late> =>
    client.authenticate({ connector: record, loginId: loginId.trim(), password }, toSignInHost(call.service));
  const inTime = async (): Promise<ConnectorUser | undefined> => {
    const answer = await within<ConnectorUser | undefined | typeof late>(timers, connectTimeout + readTimeout + 500, {
      work: ask(),
      late,
    });
    if (answer === late) throw new SignInError("unavailable", "there was no answer in time.");
    return answer;
  };
  return call.service.connectors.bulkheads.run(id, connectTimeout, inTime);
}

async function findClient({ service }: OperationCall, { type }: Connector): Promise<PasswordConnector> {
  const own = service.connectors.clients.find((client) => client.type === type);
  if (own !== undefined) return own;
  if (type === "Generic") return createHttpConnector(service.http);
  throw new SignInError("unavailable", `the option connectors has none of the type ${type}.`);
}

/** Trusted certificates in PEM, besides the system's. */
async function findCertificates({ service }: OperationCall, { sslCertificateKeyId }: Connector): Promise<readonly string[]> {
  const { certificates } = service.connectors;
  if (sslCertificateKeyId === undefined) return certificates;
  const key = await service.openKeys.byId(sslCertificateKeyId);
  if (key?.certificate === undefined) throw new SignInError("unavailable", "its key has no certificate.");
  return [...certificates, key.certificate];
}

function describe({ id, name }: Pick<Connector, "id" | "name">): string {
  return `The connector ${name} (${id})`;
}

/** Writes the failure of a connector to the event log. */
export function recordConnectorFailure(call: OperationCall, connector: Connector, reason: string): Promise<void> {
  return note(call, "Error", `${describe(connector)} logged nobody in: ${reason}`);
}

/** The maximum number of faults in an event log entry. */
const maxFaults = 10;

/** Writes user data of a connector that was not stored to the event log. The login continues. */
export function recordSkipped(
  call: OperationCall,
  connector: Connector,
  { faults, userId }: { readonly faults: readonly string[]; readonly userId: string },
): Promise<void> {
  const named = faults.slice(0, maxFaults).join("; ");
  const more = faults.length > maxFaults ? `; and ${faults.length - maxFaults} more` : "";
  return note(call, "Error", `${describe(connector)} says of the user ${userId} what is not stored: ${named}${more}.`);
}

async function note(call: OperationCall, type: EventLogType, message: string): Promise<void> {
  await call.write((write) => writeEventLog(write, { message, type }));
}
