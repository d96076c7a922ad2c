/**
 * What exists in a body beside the language itself, for the compiler alone: name it in `compilerOptions.types` of the folder that
 * the bodies are in, with `"lib": ["es2024"]`. It replaces what browsers and Node have by the same names.
 */
declare global {
  /** What it writes is shown with the outcome of the run, and goes to the event log of the service. */
  const console: {
    /** Only for lambdas whose `debug` is on. */
    debug(...values: unknown[]): void;
    error(...values: unknown[]): void;
    info(...values: unknown[]): void;
    log(...values: unknown[]): void;
    warn(...values: unknown[]): void;
  };

  /** The names and values of an HTTP header; names are compared without case. */
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

  /** Calls over HTTP and returns the answer, not a promise: 2 seconds at most. Throws where the service does not allow it. */
  function fetch(
    url: string,
    init?: {
      readonly method?: string;
      readonly headers?: Headers | Readonly<Record<string, string>>;
      readonly body?: string;
    },
  ): { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

  /** A record of the API: its members, as JSON has them. */
  interface ApiRecord {
    readonly id: string;
    readonly [name: string]: unknown;
  }

  /** Calls of the API for the tenant of the run, as far as the permissions of the lambda go. Each answers at once, or throws the refusal. */
  const api: {
    readonly user: {
      /** The user with an id; undefined where there is none. */
      retrieve(userId: string): ApiRecord | undefined;
      /** Changes members of a user, and returns the user. */
      patch(userId: string, changes: object): ApiRecord;
    };
    readonly registration: {
      /** The registration of a user in an application; undefined where there is none. */
      retrieve(userId: string, applicationId: string): ApiRecord | undefined;
      /** Changes members of a registration, and returns it. */
      patch(userId: string, applicationId: string, changes: object): ApiRecord;
    };
    readonly group: {
      /** The group with an id; undefined where there is none. */
      retrieve(groupId: string): ApiRecord | undefined;
      /** Changes members of a group, and returns it. */
      patch(groupId: string, changes: object): ApiRecord;
    };
  };

  /** The modules of your lambdas by name: declare them in this interface, such as `text: typeof import("./text.js")`. */
  interface LambdaModules {}

  /** Returns what a module exports that the lambda names in `modules`. Throws for other names. */
  function require<Name extends keyof LambdaModules>(name: Name): LambdaModules[Name];

  /** What a body of the type `Module` exports; other bodies have none. */
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
