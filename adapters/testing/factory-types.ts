import type { CallOptions, IdentityService } from "latchkey";

/** A function of the in-process API. */
export type AnyCall = (input: never, options?: CallOptions) => Promise<unknown>;

/** What a call is given. */
export type InputOf<Call extends AnyCall> = NonNullable<Parameters<Call>[0]>;

/** What is said of a value otherwise: objects member by member, lists and other values as a whole. */
export type Changes<Value> = Value extends readonly unknown[] | string | number | boolean | null | undefined
  ? Value
  : { readonly [Name in keyof Value]?: Changes<Value[Name]> | undefined };

/** Makes records of one family. */
export interface Factory<Call extends AnyCall> {
  /**
   * What a record is made of: valid, with unique values, and these changes. What the record needs and the changes do not name, such as
   * the user of a registration, is made on the way; the record itself is not.
   */
  build(changes?: Changes<InputOf<Call>>, options?: CallOptions): Promise<InputOf<Call>>;
  /** Makes a record, and answers as the call does. @throws IdentityError when the changes are refused. */
  create(changes?: Changes<InputOf<Call>>, options?: CallOptions): ReturnType<Call>;
}

type Api = IdentityService;

/** A factory for every family whose records are made by calls. */
export interface Factories {
  /** Creates an IP access list. */
  readonly accessLists: Factory<Api["accessLists"]["create"]>;
  /** Creates an API key. */
  readonly apiKeys: Factory<Api["apiKeys"]["create"]>;
  /** Creates a role of an application. */
  readonly applicationRoles: Factory<Api["applicationRoles"]["create"]>;
  /** Creates an application. */
  readonly applications: Factory<Api["applications"]["create"]>;
  /** Creates an entry of the audit log. */
  readonly auditLogs: Factory<Api["auditLogs"]["create"]>;
  /** Creates a consent. */
  readonly consents: Factory<Api["consents"]["create"]>;
  /** Creates an email template. */
  readonly emailTemplates: Factory<Api["emailTemplates"]["create"]>;
  /** Creates an entity. */
  readonly entities: Factory<Api["entities"]["create"]>;
  /** Of a user on an entity. */
  readonly entityGrants: Factory<Api["entityGrants"]["upsert"]>;
  /** Creates a permission of an entity type. */
  readonly entityTypePermissions: Factory<Api["entityTypePermissions"]["create"]>;
  /** Creates an entity type. */
  readonly entityTypes: Factory<Api["entityTypes"]["create"]>;
  /** Creates a form field. */
  readonly formFields: Factory<Api["formFields"]["create"]>;
  /** Creates a form. */
  readonly forms: Factory<Api["forms"]["create"]>;
  /** One user in one group. */
  readonly groupMembers: Factory<Api["groupMembers"]["add"]>;
  /** Creates a group. */
  readonly groups: Factory<Api["groups"]["create"]>;
  /** A secret for HMAC, which takes no time to make. */
  readonly keys: Factory<Api["keys"]["generate"]>;
  /** Creates a lambda. */
  readonly lambdas: Factory<Api["lambdas"]["create"]>;
  /** Registers a user to an application. */
  readonly registrations: Factory<Api["registrations"]["create"]>;
  /** Creates a tenant. */
  readonly tenants: Factory<Api["tenants"]["create"]>;
  /** Records a user's consent. */
  readonly userConsents: Factory<Api["userConsents"]["create"]>;
  /** Without a password, whose digest takes its time. */
  readonly users: Factory<Api["users"]["create"]>;
  /** For all tenants, and for no event until the changes name some in `webhook.eventsEnabled`. */
  readonly webhooks: Factory<Api["webhooks"]["create"]>;
}
