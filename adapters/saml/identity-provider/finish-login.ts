import { hash, timingSafeEqual } from "node:crypto";
import { type ApiRequest, type ApiResponse, hostPrincipal, type Registration, type User } from "latchkey";
import type { SamlResponse } from "latchkey/lambda-types";
import { statusCodes } from "../names.js";
import { postForm } from "../server/responses.js";
import type { SamlCall } from "../server/saml-call.js";
import { XmlError } from "../xml/xml-error.js";
import { cookieName, toCookie } from "./begin-login.js";
import { populate, toAttributes, toNameId, toStatement, type UserStatement } from "./describe-user.js";
import { type LoginState, openState } from "./login-state.js";
import type { SamlApplication } from "./saml-applications.js";
import { findSubject, type Subject } from "./sign-user-in.js";
import { findEncryptionKey, findSigningKey } from "./signing-key.js";
import { lifetimeMs, type ResponseHeader, writeRefusal, writeResponse } from "./write-response.js";

/** A login whose user came back from the pages. */
interface ReturnedLogin {
  readonly call: SamlCall;
  readonly state: LoginState;
  readonly to: SamlApplication;
  readonly header: ResponseHeader;
}

/** Takes the user who comes back from the pages, and posts the response to the application. @throws XmlError */
export async function finishLogin(call: SamlCall): Promise<ApiResponse> {
  const { host, publicUrl, request } = call;
  const query = new URLSearchParams(request.query);
  const state = await openState(host, query.get("state") ?? "");
  if (state === undefined || state.tenantId !== call.id || !isOfBrowser(state, request))
    throw new XmlError("The login did not begin in this browser, or began more than an hour ago.");
  const to = await call.applications.findById(state.applicationId);
  if (to === undefined) throw new XmlError("The application does not use SAML any more.");
  const issuer = `${publicUrl}/samlv2/${state.tenantId}`;
  const { consumerUrl, requestId } = state;
  const header = { id: newId(), issuer, consumerUrl, requestId, now: host.clock() };
  const response = await writeAnswer({ call, state, to, header }, query);
  const fields = { SAMLResponse: Buffer.from(response).toString("base64"), RelayState: state.relayState };
  return postForm(consumerUrl, fields, toCookie(publicUrl, state, 0));
}

function isOfBrowser(state: LoginState, { headers }: ApiRequest): boolean {
  const [name, expected] = [cookieName(state), state.nonce];
  const pairs = [headers.cookie].flat().flatMap((cookie) => (cookie ?? "").split(";"));
  const digest = (text: string): Buffer => hash("sha256", text, "buffer");
  return pairs.some((pair) => timingSafeEqual(digest(pair.trim()), digest(`${name}=${expected}`)));
}

function newId(): string {
  return `_${Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString("hex")}`;
}

async function writeAnswer(login: ReturnedLogin, query: URLSearchParams): Promise<string> {
  const { call, state, to, header } = login;
  const { application, settings } = to;
  const key = await findSigningKey(call.host, settings.keyId);
  const code = query.get("code");
  if (code === null) return writeRefusal(header, toStatusCode(query.get("error"), state), { key, settings });
  const { host, publicUrl, request } = call;
  const subject = await findSubject(host, to, { code, state, publicUrl, request });
  if (subject === undefined) throw new XmlError("The code of the login is not valid.");
  const user = await findUser(call, application.tenantId, subject);
  const registration = user.registrations?.find(({ applicationId }) => applicationId === application.id);
  return writeAssertion(login, { user, registration, subject });
}

const refusals: Readonly<Record<string, string>> = {
  access_denied: statusCodes.requestDenied,
  consent_required: statusCodes.noPassive,
  interaction_required: statusCodes.noPassive,
  login_required: statusCodes.noPassive,
};

function toStatusCode(error: string | null, { isPassive }: LoginState): string {
  const code = refusals[error ?? ""] ?? statusCodes.authenticationFailed;
  return code === statusCodes.noPassive && !isPassive ? statusCodes.authenticationFailed : code;
}

async function findUser({ host }: SamlCall, tenantId: string, { userId }: Subject): Promise<User> {
  const { user } = await host.as(hostPrincipal).users.retrieve({ userId }, { tenantId });
  if (!user.active) throw new XmlError("The user is not active.");
  return user;
}

interface Who {
  readonly user: User;
  readonly registration: Registration | undefined;
  readonly subject: Subject;
}

async function writeAssertion({ call, state, to, header }: ReturnedLogin, { user, registration, subject }: Who): Promise<string> {
  const { host } = call;
  const { settings } = to;
  const before = { nameId: toNameId(user, state.nameIdFormat, newId()), attributes: toAttributes(user, registration) };
  const audience = settings.audience ?? to.issuer;
  const sessionIndex = subject.sessionId ?? newId();
  const response = describeResponse(header, { audience, before, sessionIndex });
  const statement = toStatement(await populate(host, { to, response, user, registration }), before);
  const { enabled, keyTransportEncryptionKeyId } = settings.assertionEncryptionConfiguration;
  return writeResponse(
    header,
    { id: newId(), audience, sessionIndex, subject, statement },
    {
      settings,
      key: await findSigningKey(host, settings.keyId),
      encryptionKey: enabled ? await findEncryptionKey(host, keyTransportEncryptionKeyId) : undefined,
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    },
  );
}

interface ResponseTexts {
  readonly audience: string;
  readonly before: UserStatement;
  readonly sessionIndex: string;
}

/** Returns a response as lambdas get it. */
function describeResponse(
  { id, issuer, consumerUrl, requestId, now }: ResponseHeader,
  { audience, before, sessionIndex }: ResponseTexts,
): SamlResponse {
  const attributes = Object.fromEntries(Object.entries(before.attributes).map(([name, values]) => [name, [...values]]));
  const conditions = { audiences: [audience], notBefore: now, notOnOrAfter: now + lifetimeMs };
  const assertion = { attributes, conditions, subject: { nameIDs: [{ ...before.nameId }] } };
  return { assertion, destination: consumerUrl, id, inResponseTo: requestId, issueInstant: now, issuer, sessionIndex };
}
