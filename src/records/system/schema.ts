import type { IndexProgress } from "../../ports/storage.js";

/** How a service is (docs/reference/system.md). */
export interface SystemStatus {
  /** When the service started, in epoch milliseconds. */
  readonly startInstant: number;
  /** What the storage is like, and whether it answers now. */
  readonly storage: {
    readonly answers: boolean;
    /** Whether what was acknowledged survives the process. */
    readonly isDurable: boolean;
    /** Whether other processes may use the storage at the same time. */
    readonly isShared: boolean;
    /** The indexes that this process makes or has made beside the requests since it started. */
    readonly indexes: readonly IndexProgress[];
  };
  /** The version of the reference that the service behaves like. */
  readonly version: string;
}

/** The OpenAPI document of a service. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  readonly openapi: string;
  readonly [member: string]: unknown;
}

/** The version of the reference that a service behaves like. */
export interface SystemVersion {
  /** Three numbers with dots, such as `1.64.0`. */
  readonly version: string;
}
