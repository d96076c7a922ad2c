import type { IndexProgress } from "../../ports/storage.js";

/** The status of a service (docs/reference/system.md). */
export interface SystemStatus {
  /** When the service started, in epoch milliseconds. */
  readonly startInstant: number;
  /** The properties of the storage, and whether it responds now. */
  readonly storage: {
    readonly answers: boolean;
    /** Whether committed data survives the process. */
    readonly isDurable: boolean;
    /** Whether other processes can use the storage at the same time. */
    readonly isShared: boolean;
    /** The indexes that this process has created in the background since it started, or is creating. */
    readonly indexes: readonly IndexProgress[];
  };
  /** The version of the reference that the service implements. */
  readonly version: string;
}

/** The OpenAPI document of a service. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  readonly openapi: string;
  readonly [member: string]: unknown;
}

/** The version of the reference that a service implements. */
export interface SystemVersion {
  /** Three numbers, such as `1.64.0`. */
  readonly version: string;
}
