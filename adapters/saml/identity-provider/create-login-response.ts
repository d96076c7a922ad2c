import type { SamlResponse } from "latchkey/lambdas";
import type { ProtocolHost } from "latchkey/ports";
import type { User } from "latchkey/types";
import type { SamlApplication } from "../server/saml-applications.js";
import { samlVisitor } from "../server/visitor.js";
import { XmlError } from "../xml/xml-error.js";
import { populate, toAttributes, toNameId, toStatement, type UserStatement } from "./describe-user.js";
import { readNameIdFormat } from "./name-id-formats.js";
import { chooseContext } from "./requested-context.js";
import type { Subject } from "./sign-user-in.js";
import { findEncryptionKey, findSigningKey } from "./signing-key.js";
import { lifetimeMs, newMessageId, type ResponseHeader, writeResponse } from "./write-response.js";

/** A login with a known user. */
export interface LoginResponseInput {
  readonly to: SamlApplication;
  readonly header: ResponseHeader;
  readonly nameIdFormat: string | undefined;
  readonly contexts: readonly string[] | undefined;
  readonly subject: Subject;
}

/**
 * Returns the signed response about a user.
 * @throws XmlError for an inactive user, and StatusError when the user has no name in the requested format, or the login does not
 * meet the requested classes.
 */
export async function createLoginResponse(
  host: ProtocolHost,
  { to, header, nameIdFormat, contexts, subject }: LoginResponseInput,
): Promise<string> {
  const { application, issuer, settings } = to;
  const context = chooseContext(contexts, subject.methods);
  const user = await findUser(host, application.tenantId, subject);
  const registration = user.registrations?.find(({ applicationId }) => applicationId === application.id);
  // Logins from before an upgrade may still have an unvalidated format.
  const before = {
    nameId: toNameId(user, readNameIdFormat(nameIdFormat), newMessageId(host)),
    attributes: toAttributes(user, registration),
  };
  const audience = settings.audience ?? issuer;
  const sessionIndex = subject.sessionId ?? newMessageId(host);
  const response = describeResponse(header, { audience, before, sessionIndex });
  const statement = toStatement(await populate(host, { to, response, user, registration }), before);
  const { enabled, keyTransportEncryptionKeyId } = settings.assertionEncryptionConfiguration;
  const parts = { id: newMessageId(host), audience, sessionIndex, authInstant: subject.authInstant, context, statement };
  return writeResponse(header, parts, {
    settings,
    key: await findSigningKey(host, settings.keyId),
    encryptionKey: enabled ? await findEncryptionKey(host, keyTransportEncryptionKeyId) : undefined,
    random: host.random,
  });
}

async function findUser(host: ProtocolHost, tenantId: string, { userId }: Subject): Promise<User> {
  const { user } = await host.as(samlVisitor).users.retrieve({ userId }, { tenantId });
  if (!user.active) throw new XmlError("The user is not active.");
  return user;
}

interface ResponseTexts {
  readonly audience: string;
  readonly before: UserStatement;
  readonly sessionIndex: string;
}

/** Returns a response in the form of lambdas. */
function describeResponse(
  { id, issuer, consumerUrl, requestId, now }: ResponseHeader,
  { audience, before, sessionIndex }: ResponseTexts,
): SamlResponse {
  const attributes = Object.fromEntries(Object.entries(before.attributes).map(([name, values]) => [name, [...values]]));
  const conditions = { audiences: [audience], notBefore: now, notOnOrAfter: now + lifetimeMs };
  const assertion = { attributes, conditions, subject: { nameIDs: [{ ...before.nameId }] } };
  return { assertion, destination: consumerUrl, id, inResponseTo: requestId, issueInstant: now, issuer, sessionIndex };
}
