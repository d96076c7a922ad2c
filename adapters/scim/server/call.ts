import type { CallOptions, InProcessApi, Principal } from "latchkey";
import type { ApiRequest, ProtocolHost } from "latchkey/ports";
import type { ResourceType, ResourceTypes } from "../schema/schemas.js";

/** The converter lambdas of a tenant by the id of the resource type, such as `User`. */
export interface ConverterIds {
  /** Runs on what a client sends. */
  readonly request?: string | undefined;
  /** Runs on what a client receives. */
  readonly response?: string | undefined;
}

/** What a tenant says of SCIM. */
export interface ScimTenant {
  readonly id: string;
  readonly types: ResourceTypes;
  readonly converters: Readonly<Record<string, ConverterIds>>;
  /** Whether people verify the addresses of new accounts; else the directory declares that they are. */
  readonly verifiesEmail: boolean;
  /** Members of `data` that its searches may name, such as `scim.externalId`, by family. */
  readonly searchable: Readonly<Record<"users" | "groups", ReadonlySet<string>>>;
}

/** One request of a client that may make it. */
export interface ScimCall {
  readonly host: ProtocolHost;
  /** The operations of the API with the rights of the caller, which the audit log and events name. */
  readonly api: InProcessApi;
  readonly principal: Principal;
  /** The same caller with the rights that it has by itself. */
  readonly caller: Principal;
  readonly tenant: ScimTenant;
  /** Binds operations to the tenant. */
  readonly options: CallOptions;
  readonly request: ApiRequest;
  /** The path below the root of SCIM: `/Users/2819c223-7f76-453a-919d-413861904646`. */
  readonly path: string;
  /** Parameters of the query. */
  readonly query: URLSearchParams;
  /** The URL of the root of SCIM, without a slash at its end. */
  readonly root: string;
  /** Throws `ScimError` 403 where the caller may not read at an endpoint such as `/Users`. */
  readonly assertReadable: (endpoint: "/Users" | "/Groups") => Promise<void>;
  /** Reads the body. */
  readonly readBody: () => Promise<unknown>;
  /** Attributes and schemas of the request that are not declared, for the event log. */
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

/** The answer to a call. */
export interface ScimResponse {
  readonly status: number;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Returns the URL of a resource. */
export function locationOf({ root, type }: Pick<TypeCall, "root" | "type">, id: string): string {
  return `${root}${type.endpoint}/${id}`;
}

/** Records what a request named that is not declared, or that clients cannot set. */
export function recordIgnored({ ignored }: Pick<ScimCall, "ignored">, names: readonly string[]): void {
  for (const name of names) ignored.push(name);
}
