import type { Provider } from "oidc-provider";
import { currentExchange } from "../exchange/exchange.js";

type Grant = InstanceType<Provider["Grant"]>;

const model = "Consent";
const lifetimeSeconds = 365 * 86_400;

/** Who agreed, and to which application. */
interface Parties {
  readonly accountId: string;
  readonly clientId: string;
}

function nameOf({ accountId, clientId }: Parties): string {
  return `${accountId} ${clientId}`;
}

/** Remembers what a user agreed to and what he refused, beyond his session. */
export function rememberConsent(parties: Parties, grant: Grant): void {
  const scopes = grant.getOIDCScope();
  const rejected = grant.getRejectedOIDCScope();
  const claims = [...grant.getOIDCClaims()];
  currentExchange().unit.upsert(model, nameOf(parties), { ...parties, claims, rejected, scopes }, lifetimeSeconds);
}

/** Returns a new grant with what a user agreed to before; undefined where he never did. */
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
