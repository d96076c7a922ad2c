/**
 * The globals of a lambda body beside the language itself, for the compiler only: name this file in `compilerOptions.types` of
 * the folder of the bodies, with `"lib": ["es2024"]`. It replaces the globals of browsers and Node.
 */
declare global {
  /** Writes to the outcome of the run and to the event log of the service. */
  const console: {
    /** Only for lambdas with `debug` on. */
    debug(...values: unknown[]): void;
    error(...values: unknown[]): void;
    info(...values: unknown[]): void;
    log(...values: unknown[]): void;
    warn(...values: unknown[]): void;
  };

  /** The names and values of HTTP headers; names are case-insensitive. */
  class Headers implements Iterable<[string, string]> {
    constructor(init?: Iterable<readonly [string, string]> | Readonly<Record<string, string>>);
    append(name: string, value: string): void;
    delete(name: string): void;
    forEach(visit: (value: string, name: string) => void): void;
    get(name: string): string | null;
    has(name: string): boolean;
    set(name: string, value: string): void;
    [Symbol.iterator](): IterableIterator<[string, string]>;
  }

  /**
   * Calls over HTTP and returns the response, not a promise: 2 seconds at most. Throws where the service does not allow the call.
   */
  function fetch(
    url: string,
    init?: {
      readonly method?: string;
      readonly headers?: Headers | Readonly<Record<string, string>>;
      readonly body?: string;
    },
  ): { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

  /** A record of the API: its JSON members. */
  interface ApiRecord {
    readonly id: string;
    readonly [name: string]: unknown;
  }

  /**
   * Calls of the API for the tenant of the run, within the permissions of the lambda. Each returns its result, not a promise, or
   * throws the refusal.
   */
  const api: {
    readonly user: {
      /** The user with an id; undefined for an unknown one. */
      retrieve(userId: string): ApiRecord | undefined;
      /** Changes members of a user and returns the user. */
      patch(userId: string, changes: object): ApiRecord;
    };
    readonly registration: {
      /** The registration of a user in an application; undefined where there is none. */
      retrieve(userId: string, applicationId: string): ApiRecord | undefined;
      /** Changes members of a registration and returns it. */
      patch(userId: string, applicationId: string, changes: object): ApiRecord;
    };
    readonly group: {
      /** The group with an id; undefined for an unknown one. */
      retrieve(groupId: string): ApiRecord | undefined;
      /** Changes members of a group and returns it. */
      patch(groupId: string, changes: object): ApiRecord;
    };
  };

  /** The modules of your lambdas by name: declare them in this interface, such as `text: typeof import("./text.js")`. */
  interface LambdaModules {}

  /** Returns the exports of a module that the lambda lists in `modules`. Throws for other names. */
  function require<Name extends keyof LambdaModules>(name: Name): LambdaModules[Name];

  /** Holds the exports of a body of the type `Module`; other bodies have none. */
  const module: { exports: unknown };

  /** The members that a body of the type `Module` exports. */
  const exports: Record<string, unknown>;

  /** The functions of the host: declare your own in this interface. */
  interface HostFunctions {
    readonly [name: string]: ((...values: never[]) => unknown) | undefined;
  }

  /** The functions that the host of the service offers. */
  const host: HostFunctions;
}

export {};
