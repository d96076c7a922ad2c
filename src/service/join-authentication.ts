import { createAvailability } from "../availability/availability.js";
import { behaviorVersions, existsIn } from "../availability/versions.js";
import { type AuthenticationContext, Authenticator, type KeyUses } from "../http/authenticate/authenticate-request.js";
import { createCrossSiteCheck, withOriginLog } from "../http/authenticate/cookies.js";
import type { KnownClient } from "../http/authenticate/principal.js";
import type { AddressResolver } from "../http/authenticate/source-address.js";
import { type ApiPermissions, permissionsIn } from "../http/authorize/api-permissions.js";
import { findPrincipalByDigest } from "../keys/api-keys/find-principal.js";
import { openKeyById, openKeyByKid } from "../keys/keys/rules.js";
import type { ServiceContext } from "../operations/service-context.js";
import type { Settings } from "../options.js";
import type { Storage } from "../ports/storage.js";
import { type KeySource, OpenKeys } from "../security/keys/loaded-keys.js";
import type { Sealer } from "../security/seal.js";
import { openIdIssuerOf } from "../sessions/ending/issuer.js";
import { TokenOrigins } from "../sessions/tokens/token-origins.js";
import { TokenVerifier } from "../sessions/tokens/verify-token.js";
import { isLive } from "../sessions/validity/live-session.js";
import { type Lazy, lazily } from "../shared/async.js";
import { invalidateAllProcesses, TtlCache } from "../shared/ttl-cache.js";

/** Loads the checks of current tokens. */
export const loadTokenCheck: Lazy<typeof import("../sessions/validity/check-token.js")> = lazily(
  () => import("../sessions/validity/check-token.js"),
);

/** Dependencies of authentication. */
export interface AuthenticationParts {
  readonly storage: Storage;
  readonly settings: Settings;
  readonly sealer: Sealer;
  readonly uses: KeyUses;
  readonly addressOf: AddressResolver;
  readonly apiPermissions: ApiPermissions;
}

/** The authenticator, and its parts that operations use. */
export interface Authentication {
  readonly authenticator: Authenticator;
  readonly shared: Pick<
    ServiceContext,
    | "addressOf"
    | "clients"
    | "forgetClients"
    | "forgetKeys"
    | "forgetSessions"
    | "isCrossSite"
    | "openKeys"
    | "verifyProof"
    | "verifySignedToken"
    | "verifyToken"
    | "whenClientsChange"
    | "whenKeysChange"
  >;
}

/** Wraps a change with listeners: returns a function that runs it and notifies them, and one that adds a listener. */
function listenable(change: () => void): readonly [run: () => void, add: (listener: () => void) => void] {
  const listeners: (() => void)[] = [];
  const run = (): void => {
    change();
    for (const listener of listeners) listener();
  };
  return [run, (listener) => void listeners.push(listener)];
}

/** Creates the authentication of a service on its storage. */
export function joinAuthentication(parts: AuthenticationParts): Authentication {
  const { settings, storage, sealer, addressOf } = parts;
  const source: KeySource = {
    byId: (id, reader = storage) => openKeyById(reader, sealer, id),
    byKid: (kid) => openKeyByKid(storage, sealer, kid),
  };
  const openKeys = new OpenKeys(source, settings.runtime.monotonic);
  const proofs = lazily(async () => (await loadTokenCheck()).createProofVerifier(storage, settings));
  const verifyProof: ServiceContext["verifyProof"] = async (...proof) => (await proofs()).verify(...proof);
  const tokens = createTokens(parts, openKeys, verifyProof);
  const isCrossSite = withOriginLog(createCrossSiteCheck(settings.trustedOrigins), settings.runtime.logger);
  const authenticator = createAuthenticator(parts, { addressOf, tokens, isCrossSite });
  const clients = new TtlCache<KnownClient>(settings.runtime.monotonic);
  const [forgetClients, whenClientsChange] = listenable(() => clients.invalidate());
  const [forgetKeys, whenKeysChange] = listenable(() => {
    forgetClients();
    openKeys.forget();
    authenticator.forget();
  });
  const forgetSessions = (): void => tokens.forgetSessions();
  const forgetting = invalidateAllProcesses(storage.signals, { forgetClients, forgetKeys, forgetSessions });
  const verifyToken = (token: string): ReturnType<TokenVerifier["verify"]> => tokens.verify(token);
  const verifySignedToken: typeof verifyToken = (token) => tokens.verifySigned(token);
  const verifying = { verifyProof, verifySignedToken, verifyToken };
  const shared = { addressOf, clients, ...forgetting, isCrossSite, openKeys, ...verifying, whenClientsChange, whenKeysChange };
  return { authenticator, shared };
}

function createTokens(
  { settings, storage, sealer, apiPermissions }: AuthenticationParts,
  keys: OpenKeys,
  verifyProof: ServiceContext["verifyProof"],
): TokenVerifier {
  const { apiEntityId, runtime, version, plan } = settings;
  const { behaves, isLicensed } = createAvailability(version, plan);
  const takesProofs = behaves("boundTokens") && isLicensed("DPoP");
  return new TokenVerifier({
    keys,
    origins: new TokenOrigins(
      storage,
      {
        issuerOf: (tenant) => openIdIssuerOf(settings.publicUrl, tenant),
        isLive: (principal) => isLive(storage, principal),
      },
      runtime.monotonic,
    ),
    clock: runtime.clock,
    monotonic: runtime.monotonic,
    isCurrent: async (principal) => (await loadTokenCheck()).isCurrentToken({ runtime, sealer, storage }, principal),
    toGrants: (claims) => apiPermissions.toGrants(permissionsIn(claims, apiEntityId)),
    isProven: async (...proof) => takesProofs && (await verifyProof(...proof)) !== undefined,
  });
}

function createAuthenticator(
  { storage, settings, uses }: AuthenticationParts,
  given: Pick<AuthenticationContext, "addressOf" | "tokens" | "isCrossSite">,
): Authenticator {
  const store: AuthenticationContext["store"] = {
    findApiKey: (digest) => findPrincipalByDigest(storage, digest),
    noteUse: (keyId, instant, address) => uses.note(keyId, instant, address),
  };
  const { runtime, version } = settings;
  const absent = existsIn(version, behaviorVersions.basicWithApiKey) ? [] : (["basic"] as const);
  const { clock, monotonic } = runtime;
  return new Authenticator({ ...given, store, clock, monotonic, absentSchemes: new Set(absent) });
}
