import { SignInError } from "latchkey";
import type { IdentityProviderClient, ProviderLoginResponse, ProviderLoginStart, ProviderUser } from "latchkey/ports";
import { type IdentityProviderType, identityProviderTypes } from "../../src/records/identity-providers/types.js";
import { type Answer, expectOk } from "./answer.js";
import type { Caller } from "./caller.js";
import { anybody, ids } from "./logins.js";
import { type Start, uuid, type World } from "./world.js";

/** The id of the provider of {@link arrangeProvider}. */
export const providerId: string = uuid(950);

/** The recorded calls of a scripted client, and its answers. */
export interface ProviderScript {
  readonly starts: ProviderLoginStart[];
  readonly answers: ProviderLoginResponse[];
  /** The user of every token but `wrong`. */
  user: Partial<ProviderUser>;
  /** Runs before each answer. */
  before: () => Promise<void>;
}

/** A scripted client of identity providers, as a host implements the port. */
export function scriptedClient(types: readonly string[] = identityProviderTypes): {
  readonly client: IdentityProviderClient;
  readonly script: ProviderScript;
} {
  const script: ProviderScript = { starts: [], answers: [], user: {}, before: async () => undefined };
  const client: IdentityProviderClient = {
    types,
    polledTypes: ["HYPR"],
    async start(login) {
      script.starts.push(login);
      return { url: `https://provider.example/authorize?state=${login.state}`, memory: { verifier: "secret of the start" } };
    },
    async complete(answer) {
      script.answers.push(answer);
      await script.before();
      const { token } = answer.parameters;
      if (token === "wrong") throw new SignInError("refused", "The token is wrong.");
      if (token === "down") throw new SignInError("unavailable", "The provider is down.");
      if (token === "later") throw new SignInError("pending", "The user has not decided yet.");
      if (token === "broken") throw new TypeError("a mistake of the client");
      const user = { id: "ann|7", isEmailVerified: true, profile: {}, lambdaArguments: {}, ...script.user };
      return token?.startsWith("as:") ? { ...user, id: token.slice(3) } : user;
    },
  };
  return { client, script };
}

/** The required fields of each type, without keys. */
export const leastFields: Readonly<Record<IdentityProviderType, Readonly<Record<string, unknown>>>> = {
  Apple: { buttonText: "Log in", servicesId: "com.example.web", teamId: "TEAM" },
  EpicGames: { buttonText: "Log in", client_id: "c", client_secret: "s" },
  ExternalJWT: { headerKeyParameter: "kid", uniqueIdentityClaim: "sub" },
  Facebook: { appId: "a", buttonText: "Log in", client_secret: "s" },
  Google: { buttonText: "Log in", client_id: "c", client_secret: "s" },
  HYPR: { relyingPartyApplicationId: "a", relyingPartyURL: "https://hypr.example" },
  LinkedIn: { buttonText: "Log in", client_id: "c", client_secret: "s" },
  Nintendo: { buttonText: "Log in", client_id: "c", client_secret: "s" },
  OpenIDConnect: { buttonText: "Log in", oauth2: { client_id: "c", client_secret: "s", issuer: "https://provider.example" } },
  SAMLv2: { buttonText: "Log in", idpEndpoint: "https://provider.example/saml" },
  SAMLv2IdPInitiated: { issuer: "https://provider.example" },
  SonyPSN: { buttonText: "Log in", client_id: "c", client_secret: "s" },
  Steam: { buttonText: "Log in", client_id: "c", webAPIKey: "s" },
  Twitch: { buttonText: "Log in", client_id: "c", client_secret: "s" },
  Twitter: { buttonText: "Log in", consumerKey: "c", consumerSecret: "s" },
  Xbox: { buttonText: "Log in", client_id: "c", client_secret: "s" },
};

/** The types that require a key, and a suitable algorithm. */
export const keyOf: Readonly<Partial<Record<IdentityProviderType, { readonly algorithm: string; readonly length?: number }>>> = {
  Apple: { algorithm: "ES256" },
  SAMLv2: { algorithm: "RS256", length: 2_048 },
  SAMLv2IdPInitiated: { algorithm: "RS256", length: 2_048 },
};

/** The body of a provider for the application of the tests, with its key. */
export async function providerBody(
  world: World,
  type: IdentityProviderType = "OpenIDConnect",
  fields: object = {},
): Promise<{ readonly identityProvider: Readonly<Record<string, unknown>> }> {
  const key = keyOf[type];
  const made =
    key && expectOk(await world.caller.post("/api/key/generate", { key: { name: `Key of ${type} ${Math.random()}`, ...key } }));
  const enabled = { applicationConfiguration: { [ids.application]: { enabled: true } }, enabled: true };
  const keyId = made && { keyId: made.textAt("key.id") };
  return { identityProvider: { name: `The ${type}`, type, ...leastFields[type], ...keyId, ...enabled, ...fields } };
}

/** Makes a provider for the application of the tests. */
export async function arrangeProvider(
  world: World,
  type: IdentityProviderType = "OpenIDConnect",
  fields: object = {},
): Promise<void> {
  expectOk(await world.caller.post(`/api/identity-provider/${providerId}`, await providerBody(world, type, fields)));
}

/** A service with a scripted client, an application without required authentication, and a provider. */
export async function startWithProvider(
  start: Start,
  { options = {}, fields = {}, type = "OpenIDConnect" }: { options?: object; fields?: object; type?: IdentityProviderType } = {},
): Promise<World & { readonly script: ProviderScript }> {
  const { client, script } = scriptedClient();
  const world = await start({ identityProviders: [client], throttle: false, ...options });
  await arrangeApplication(world);
  await arrangeProvider(world, type, fields);
  return { ...world, script };
}

/** Makes the application of the tests, with a default role. */
export async function arrangeApplication(world: World, fields: object = {}): Promise<void> {
  const loginConfiguration = { allowTokenRefresh: true, generateRefreshTokens: true, requireAuthentication: false };
  const application = { name: "Shop", loginConfiguration, roles: [{ name: "buyer", isDefault: true }], ...fields };
  expectOk(await world.caller.post(`/api/application/${ids.application}`, { application }));
}

/** Logs in with a token of the provider, without a credential. */
export function logInWith(world: World, token = "right", fields: object = {}): Promise<Answer> {
  const body = { applicationId: ids.application, data: { token }, identityProviderId: providerId, ...fields };
  return anybody(world).post("/api/identity-provider/login", body);
}

/** Makes an identity provider for links; returns its id. */
export async function makeProvider(caller: Caller, id: string, fields: object = {}): Promise<string> {
  const identityProvider = { name: `Provider ${id}`, type: "Google", ...leastFields.Google, ...fields };
  expectOk(await caller.post(`/api/identity-provider/${id}`, { identityProvider }));
  return id;
}

/** Makes a link of a user and a pending link, with the parameters of their calls. */
export async function stageLink(
  world: World,
  userId: string,
  known?: string,
): Promise<{
  readonly params: { readonly identityProviderId: string; readonly identityProviderUserId: string; readonly userId: string };
  readonly body: { readonly identityProviderLink: Readonly<Record<string, string>> };
  readonly newBody: { readonly identityProviderLink: Readonly<Record<string, string>> };
  readonly isShared: false;
  readonly otherParams: { readonly retrievePending: { readonly pendingLinkId: string; readonly userId: string } };
}> {
  const identityProviderId = known ?? (await makeProvider(world.caller, providerId));
  const params = { identityProviderId, identityProviderUserId: `account of ${userId}`, userId };
  const body = { identityProviderLink: params };
  expectOk(await world.caller.post("/api/identity-provider/link", body));
  const newBody = { identityProviderLink: { ...params, identityProviderUserId: `new ${userId}` } };
  const tenantId = expectOk(await world.caller.get(`/api/user/${userId}`)).textAt("user.tenantId");
  const pendingIdPLink = { identityProviderId, identityProviderUserId: userId };
  const { pendingIdPLinkId } = await world.identity.identityProviderLinks.createPending({ pendingIdPLink }, { tenantId });
  const otherParams = { retrievePending: { pendingLinkId: pendingIdPLinkId, userId } };
  return { params, body, newBody, isShared: false, otherParams };
}
