/** How a service is (docs/reference/system.md). */
export interface SystemStatus {
  /** When the service started, in epoch milliseconds. */
  readonly startInstant: number;
  readonly storage: {
    readonly answers: boolean;
    /** Whether what was acknowledged survives the process. */
    readonly isDurable: boolean;
    /** Whether other processes may use the storage at the same time. */
    readonly isShared: boolean;
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
  readonly version: string;
}
