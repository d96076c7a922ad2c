import type { ApiRequest } from "latchkey";
import type { ProtocolHost } from "latchkey/types";
import type { SamlApplications } from "./saml-applications.js";

/** A request of a route. */
export interface SamlCall {
  readonly host: ProtocolHost;
  readonly applications: SamlApplications;
  readonly request: ApiRequest;
  /** The root URL of the service. */
  readonly publicUrl: string;
  /** The last part of the path. */
  readonly id: string;
}
