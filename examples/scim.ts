/**
 * Two directories provision the same company by SCIM, one as Okta does and one as Entra ID does, and the API makes the same changes in a third
 * tenant. All three end alike, and published the same events. `node examples/scim.ts 5000 25`: 5,000 people in 25 teams for each.
 */
import { scim, scimPath } from "latchkey/scim";
import { createTestIdentity } from "latchkey/testing";
import { ApiDirectory } from "./scim/api.ts";
import { readEvents, readNames, readState } from "./scim/compare.ts";
import { Connection } from "./scim/connection.ts";
import { EntraLikeDirectory } from "./scim/entra.ts";
import { OktaLikeDirectory } from "./scim/okta.ts";
import { provision } from "./scim/plan.ts";
import { createKey, createTenant, createToken, listen } from "./scim/service.ts";

/** The users and groups that each tenant has in the end, and the events that each published. */
export interface Outcome {
  readonly states: readonly (readonly string[])[];
  readonly events: readonly (readonly string[])[];
}

/** Provisions three tenants. */
export async function compareDirectories(people: number, teams: number): Promise<Outcome> {
  await using kit = await createTestIdentity({ protocols: [scim()] });
  const { identity } = kit;
  const server = await listen(identity);
  const baseUrl = server.url + scimPath;
  const tenantIds = [
    await createTenant(identity, "Okta"),
    await createTenant(identity, "Entra"),
    await createTenant(identity, "API"),
  ] as const;
  const [oktaId, entraId, apiId] = tenantIds;

  const okta = new Connection(baseUrl, await createKey(identity, oktaId));
  const deleteUser = (userId: string) => identity.users.remove({ userId, hardDelete: true }, { tenantId: oktaId });
  const entra = new EntraLikeDirectory(new Connection(baseUrl, await createToken(identity, entraId, server.url)));
  await entra.testConnection();
  for (const directory of [new OktaLikeDirectory(okta, deleteUser), entra, new ApiDirectory(identity, apiId)]) {
    await provision(directory, people, teams);
    await kit.settled();
  }
  server.close();

  const { sent } = kit.events;
  const names = readNames(sent);
  const states = await Promise.all(tenantIds.map((id) => readState(identity, id, names)));
  return { states, events: tenantIds.map((id) => readEvents(sent, id, names)) };
}

if (import.meta.main) {
  const [people = 60, teams = 5] = process.argv.slice(2).map(Number);
  const { events, states } = await compareDirectories(people, teams);
  for (const [kind, [okta, entra, api]] of Object.entries({ records: states, events })) {
    const isEqual = [entra, api].every((other) => JSON.stringify(other) === JSON.stringify(okta));
    console.log(`${okta?.length} ${kind} of each tenant: ${isEqual ? "equal" : "different"}`);
  }
}
