// Requests of an application, as its browsers bring them to the service by both bindings.
import { sign as signText } from "node:crypto";
import { browse, type SamlStage, toQuery } from "./identity-provider.js";
import type { Pair } from "./keys.js";

/** Where the requests of a tenant go. */
export const loginPath = ({ world }: SamlStage): string => `/samlv2/login/${world.defaultTenantId}`;

/** Sends a request by a redirect; returns the status. */
export async function get(stage: SamlStage, query: string): Promise<number> {
  return (await browse(stage.world, "GET", `${loginPath(stage)}?${query}`, new Map())).status;
}

/** Sends a request by a form; returns the status. */
export async function post(stage: SamlStage, document: string): Promise<number> {
  const form = { SAMLRequest: Buffer.from(document).toString("base64") };
  return (await browse(stage.world, "POST", loginPath(stage), new Map(), form)).status;
}

const algorithm = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

/** Writes the query of a redirect, signed. */
export function signQuery(document: string, { pem }: Pair, sigAlg: string = algorithm): string {
  const query = toQuery(document, { RelayState: "a b", SigAlg: sigAlg });
  return `${query}&Signature=${encodeURIComponent(signText("sha256", Buffer.from(query), pem).toString("base64"))}`;
}
