// Logins at the OpenID provider of the service, by a relying party of openid-client.
import type { LambdaType } from "latchkey/lambdas";
import { memoryStorage } from "latchkey/memory";
import * as client from "openid-client";
import { completeLogin, discover, type ProviderWorld, startProvider } from "../../oidc/support/provider.js";
import { functionOf, withRunner } from "../../support/lambda-places.js";
import { claimsOf } from "../../support/logins.js";

interface Party {
  readonly config: client.Configuration;
  readonly world: ProviderWorld;
}

async function startParty(type: LambdaType, places: readonly string[], statements: string): Promise<Party> {
  const world = await startProvider(memoryStorage(), {}, withRunner);
  const { applicationId, identity, tenantId } = world;
  const { lambda } = await identity.lambdas.create({ lambda: { name: type, type, body: functionOf(type, statements) } });
  const lambdaConfiguration = Object.fromEntries(places.map((place) => [place, lambda.id]));
  await identity.applications.patch({ applicationId, patch: { application: { lambdaConfiguration } } }, { tenantId });
  return { config: await discover(world), world };
}

/** The mark of the lambda in the access token and in the ID token of a login. */
export async function readTokens(statements: string): Promise<unknown> {
  const places = ["accessTokenPopulateId", "idTokenPopulateId"];
  const { config } = await startParty("JWTPopulate", places, statements);
  const tokens = await completeLogin(config);
  return [claimsOf(tokens.access_token).mark, tokens.claims()?.mark];
}

/** The mark of the lambda in what the user info endpoint answers to the relying party. */
export async function readUserInfo(statements: string): Promise<unknown> {
  const { config, world } = await startParty("UserInfoPopulate", ["userinfoPopulateId"], statements);
  const { access_token } = await completeLogin(config);
  return (await client.fetchUserInfo(config, access_token, world.userId)).mark;
}
