// A login by SAML from one service to another: both ends of the protocol, each with its lambda.
import { saml, samlLogins } from "latchkey/saml";
import { browse, finish, importKey, readPage, startProvider } from "../../saml/support/identity-provider.js";
import { expectOk } from "../../support/answer.js";
import { arrangeApplication, arrangeProvider, providerId } from "../../support/identity-providers.js";
import { giveApplication, makeStatements, withRunner } from "../../support/lambda-places.js";
import { anybody, ids } from "../../support/logins.js";
import { start } from "./start.js";

const publicUrl = "https://sp.example.com";
const redirect_uri = `${publicUrl}/oauth2/callback`;

/** Logs a user in; returns what `populate` gave and `reconcile` took: `user.data` at the service provider. */
export async function logInBySaml(populate: string, reconcile: string): Promise<unknown> {
  const settings = { issuer: `${publicUrl}/samlv2/sp/${providerId}`, authorizedRedirectURLs: [`${publicUrl}/samlv2/acs`] };
  const stage = await startProvider(start, settings, withRunner);
  await giveApplication(stage.world, "samlv2PopulateId", "SAMLv2Populate", populate);
  const publicKey = expectOk(await stage.world.caller.get(`/api/key/${stage.keyId}`)).textAt("key.publicKey");

  const world = await start({ publicUrl, protocols: [saml()], identityProviders: [samlLogins()] });
  await arrangeApplication(world);
  await arrangeProvider(world, "SAMLv2", {
    idpEndpoint: `https://id.example.com/auth/samlv2/login/${stage.world.defaultTenantId}`,
    keyId: await importKey(world, "Provider", publicKey),
    emailClaim: "email",
    lambdaConfiguration: { reconcileId: await makeStatements(world, "SAMLv2Reconcile", reconcile) },
  });
  const named = { applicationId: ids.application, identityProviderId: providerId };
  const started = expectOk(await anybody(world).post("/api/identity-provider/start", { ...named, redirect_uri }));

  const cookies = new Map<string, string>();
  const { location } = await browse(stage.world, "GET", started.textAt("url"), cookies);
  const { fields } = readPage((await finish(stage, location, cookies)).body);
  return expectOk(await anybody(world).post("/api/identity-provider/login", { ...named, data: fields })).at("user.data");
}
