/** Ports for sign-in: identity providers, connectors, and the verifier of passkeys. */
export type {
  NewPasskey,
  PasskeyAlgorithm,
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCheck,
  PasskeyFailure,
  PasskeyFlags,
  PasskeyPublicKey,
  PasskeyVerifier,
} from "../../src/ports/passkeys.js";
export type {
  ConnectorLogin,
  ConnectorUser,
  IdentityProviderClient,
  PasswordConnector,
  ProviderLoginResponse,
  ProviderLoginStart,
  ProviderRedirect,
  ProviderUser,
  SignInFailure,
  SignInHost,
  SignInKey,
  SignInRecord,
} from "../../src/ports/sign-in.js";
