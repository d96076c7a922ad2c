import type { CallOptions, InProcessApi, Principal } from "latchkey";
import type { ApiRequest, ProtocolHost } from "latchkey/ports";
import type { ResourceType, ResourceTypes } from "../schema/schemas.js";

/** The converter lambdas of a tenant by the id of the resource type, such as `User`. */
export interface ConverterIds {
  /** Converts resources that a client sends. */
  readonly request?: string | undefined;
  /** Converts resources that a client receives. */
  readonly response?: string | undefined;
}

/** The SCIM settings of a tenant. */
export interface ScimTenant {
  readonly id: string;
  readonly types: ResourceTypes;
  readonly converters: Readonly<Record<string, ConverterIds>>;
  /** Whether users verify the addresses of new accounts; otherwise the directory vouches for them. */
  readonly verifiesEmail: boolean;
  /** Searchable members of `data`, such as `scim.externalId`, by family. */
  readonly searchable: Readonly<Record<"users" | "groups", ReadonlySet<string>>>;
}

/** An authorized request. */
export interface ScimCall {
  readonly host: ProtocolHost;
  /** The operations of the API with the caller's rights; the audit log and events name the caller. */
  readonly api: InProcessApi;
  readonly principal: Principal;
  /** The caller with its own rights. */
  readonly caller: Principal;
  readonly tenant: ScimTenant;
  /** Limits operations to the tenant. */
  readonly options: CallOptions;
  readonly request: ApiRequest;
  /** The path below the SCIM root: `/Users/2819c223-7f76-453a-919d-413861904646`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The URL of the SCIM root, without a trailing slash. */
  readonly root: string;
  /** Throws `ScimError` 403 when the caller may not read an endpoint such as `/Users`. */
  readonly assertReadable: (endpoint: "/Users" | "/Groups") => Promise<void>;
  readonly readBody: () => Promise<unknown>;
  /** Undeclared attributes and schemas of the request, for the event log. */
  readonly ignored: string[];
}

/** A call about resources of one type. */
export interface TypeCall extends ScimCall {
  readonly type: ResourceType;
}

/** A call about one resource. */
export interface ResourceCall extends TypeCall {
  readonly id: string;
}

/** The response to a call. */
export interface ScimResponse {
  readonly status: number;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Returns the URL of a resource. */
export function locationOf({ root, type }: Pick<TypeCall, "root" | "type">, id: string): string {
  return `${root}${type.endpoint}/${id}`;
}

/** Records undeclared attributes, or those that clients cannot set. */
export function recordIgnored({ ignored }: Pick<ScimCall, "ignored">, names: readonly string[]): void {
  for (const name of names) ignored.push(name);
}
