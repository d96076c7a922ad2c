import { deviceCookie, toDeviceCookie } from "../../http/authenticate/cookies.js";
import { findCookie } from "../../http/authenticate/read-credential.js";
import type { OperationCall } from "../../operations/operation.js";
import type { KnownDevice } from "../../people/users/login-history.js";
import { digestSecret } from "../../security/seal.js";
import { isTrustedCaller } from "../../sessions/subjects/trusted-caller.js";
import { valueAt } from "../../shared/objects.js";
import { describeAgent, type UserAgent } from "./describe-agent.js";

/** The device of a request. */
export interface FoundDevice {
  readonly agent?: UserAgent | undefined;
  readonly cookie?: string | undefined;
  readonly device?: KnownDevice | undefined;
  readonly info?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The device of a login: from the cookie, else from the description of a caller with a key, else with a new cookie. In-process
 * calls have no cookies.
 */
export function findDevice(call: OperationCall, metaData: unknown): FoundDevice {
  const { request, service } = call;
  const described = isTrustedCaller(call) ? describeDevice(metaData) : undefined;
  const presented = request && readDeviceId(call, findCookie(request.headers.cookie, deviceCookie));
  if (presented === undefined && described !== undefined)
    return { device: { digest: digestSecret(`described ${JSON.stringify(described)}`), agent: "" }, info: described };
  if (request === undefined) return {};
  const [header] = [request.headers["user-agent"]].flat();
  const agent = describeAgent(header);
  const id = presented ?? Buffer.from(service.runtime.random(16)).toString("base64url");
  const value = `${id}.${service.sealer.sign(toSigned(id))}`;
  const info = { deviceDescription: agent.description, deviceType: agent.type, os: agent.os, ...described };
  const device = { digest: digestSecret(toSigned(id)), agent: agent.description };
  return { agent, cookie: toDeviceCookie(service.cookies, value), device, info };
}

function toSigned(id: string): string {
  return `device ${id}`;
}

function readDeviceId({ service }: OperationCall, cookie = ""): string | undefined {
  const [id = "", signature = ""] = cookie.split(".");
  return service.sealer.isSignature(toSigned(id), signature) ? id : undefined;
}

/** Longer texts are cut: events and mails contain them. */
const maxDescription = 255;

const deviceMembers = [
  ["deviceDescription", "description"],
  ["deviceName", "name"],
  ["deviceType", "type"],
] as const;

function describeDevice(metaData: unknown): Readonly<Record<string, string>> | undefined {
  const device = valueAt(metaData, "device");
  const described = deviceMembers.flatMap(([name, member]) => {
    const value = valueAt(device, member);
    return typeof value === "string" && value !== "" ? [[name, value.slice(0, maxDescription)] as const] : [];
  });
  return described.length === 0 ? undefined : Object.fromEntries(described);
}

/** The caller's statement that the device is new or known; undefined without one. */
export function findNewDevice(call: OperationCall): boolean | undefined {
  const described = valueAt(call.body, "newDevice");
  return typeof described === "boolean" ? described : undefined;
}
