import type { ApiRequest, ProtocolHost } from "latchkey/ports";
import type { SamlApplications } from "./saml-applications.js";

/** A request of a route. */
export interface SamlCall {
  readonly host: ProtocolHost;
  readonly applications: SamlApplications;
  readonly request: ApiRequest;
  /** The root URL of the service. */
  readonly publicUrl: string;
  /** The last segment of the path. */
  readonly id: string;
}
