import type { Provider } from "oidc-provider";
import { currentExchange } from "../exchange/exchange.js";

type Grant = InstanceType<Provider["Grant"]>;

const model = "Consent";
const lifetimeSeconds = 365 * 86_400;

/** The user and the application of a consent. */
interface Parties {
  readonly accountId: string;
  readonly clientId: string;
}

function nameOf({ accountId, clientId }: Parties): string {
  return `${accountId} ${clientId}`;
}

/** Stores the granted and refused scopes of a user beyond the session. */
export function rememberConsent(parties: Parties, grant: Grant): void {
  const scopes = grant.getOIDCScope();
  const rejected = grant.getRejectedOIDCScope();
  const claims = [...grant.getOIDCClaims()];
  currentExchange().unit.upsert(model, nameOf(parties), { ...parties, claims, rejected, scopes }, lifetimeSeconds);
}

/** Returns a new grant with the stored consent of a user; undefined without one. */
export async function findConsent(provider: Provider, parties: Parties): Promise<Grant | undefined> {
  const found = await currentExchange().unit.find(model, nameOf(parties));
  if (found === undefined) return undefined;
  const grant = new provider.Grant(parties);
  const { claims, rejected, scopes } = found;
  if (typeof scopes === "string" && scopes !== "") grant.addOIDCScope(scopes);
  if (typeof rejected === "string" && rejected !== "") grant.rejectOIDCScope(rejected);
  if (Array.isArray(claims)) grant.addOIDCClaims(claims.map(String));
  await grant.save();
  return grant;
}
