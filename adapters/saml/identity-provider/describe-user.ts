import type { SamlResponse } from "latchkey/lambdas";
import type { ProtocolHost } from "latchkey/ports";
import type { Registration, User } from "latchkey/types";
import { nameIdFormats } from "../messages/names.js";
import type { SamlApplication } from "../server/saml-applications.js";
import { samlVisitor } from "../server/visitor.js";
import { invalidNameIdPolicy } from "./status-error.js";

/** The statements of an assertion about a user. */
export interface UserStatement {
  readonly nameId: { readonly format: string; readonly id: string };
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** The user members that become attributes. */
const members = [
  "birthDate",
  "email",
  "firstName",
  "fullName",
  "id",
  "imageUrl",
  "lastName",
  "middleName",
  "mobilePhone",
  "phoneNumber",
  "username",
] as const;

/** Returns the attributes of a user, with the roles in an application. */
export function toAttributes(user: User, registration: Registration | undefined): Record<string, string[]> {
  const own = members.map((name) => [name, user[name]] as const).filter(([, value]) => typeof value === "string" && value !== "");
  const attributes = Object.fromEntries(own.map(([name, value]) => [name, [String(value)]]));
  const roles = registration?.roles ?? [];
  return roles.length === 0 ? attributes : { ...attributes, roles: [...roles] };
}

/**
 * Returns the user's name in the requested format; undefined allows any.
 * @throws StatusError when the user has no name in the format.
 */
export function toNameId(user: User, wanted: string | undefined, transientId: string): UserStatement["nameId"] {
  const { email } = user;
  const format = wanted ?? (email === undefined ? nameIdFormats.persistent : nameIdFormats.email);
  if (format === nameIdFormats.persistent) return { format, id: user.id };
  if (format === nameIdFormats.transient) return { format, id: transientId };
  if (email === undefined) throw invalidNameIdPolicy("The user has no email address, which the NameIDPolicy asks for.");
  return { format, id: email };
}

/** An unwritten response, and its user. */
export interface PopulateInput {
  readonly to: SamlApplication;
  readonly response: SamlResponse;
  readonly user: User;
  readonly registration: Registration | undefined;
}

/**
 * Lets the application's lambda change the user's attributes and name in an assertion. A lambda cannot change the audience or the
 * lifetime. A failed lambda changes nothing.
 */
export async function populate(host: ProtocolHost, { to, response, user, registration }: PopulateInput): Promise<SamlResponse> {
  const { id, lambdaConfiguration, tenantId } = to.application;
  const lambdaId = lambdaConfiguration.samlv2PopulateId;
  if (lambdaId === undefined) return response;
  const context = { tenant: { id: tenantId }, application: { id } };
  const given = { samlResponse: response, user, registration: registration ?? { applicationId: id }, context };
  const run = host.as(samlVisitor).lambdas.run(lambdaId, given as never, { tenantId });
  const changed = (await run.catch(() => undefined)) as { readonly samlResponse?: SamlResponse } | undefined;
  return changed?.samlResponse ?? response;
}

/** Returns the statements of a response, with texts only. */
export function toStatement({ assertion }: SamlResponse, before: UserStatement): UserStatement {
  const given: unknown = assertion?.attributes;
  const pairs = Object.entries(typeof given === "object" && given !== null ? given : {});
  const attributes = pairs.map(([name, values]) => [name, [values].flat().filter(isValue).map(String)] as const);
  const [nameId] = assertion?.subject?.nameIDs ?? [];
  const isNamed = typeof nameId?.id === "string" && nameId.id !== "" && typeof nameId.format === "string";
  return {
    attributes: Object.fromEntries(attributes),
    nameId: isNamed ? { format: nameId.format, id: nameId.id } : before.nameId,
  };
}

function isValue(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
