import type { TokenAuthenticator } from "../../http/authenticate/authenticate-request.js";
import type { TokenPrincipal } from "../../http/authenticate/principal.js";
import type { TokenCredential } from "../../http/authenticate/read-credential.js";
import type { ApiRequest } from "../../ports/transport.js";
import { type Lazy, lazily } from "../../shared/async.js";
import type { TokenVerifier } from "./verify-token.js";

/** The verification of tokens, loaded with the first of them. */
export class TokensOnDemand implements TokenAuthenticator {
  readonly #verifier: Lazy<TokenVerifier>;

  constructor(load: () => Promise<TokenVerifier>) {
    this.#verifier = lazily(load);
  }

  /** See {@link TokenVerifier.authenticate}. */
  authenticate(request: ApiRequest, credential: TokenCredential): TokenPrincipal | Promise<TokenPrincipal> {
    const verifier = this.#verifier();
    if (verifier instanceof Promise) return verifier.then((loaded) => loaded.authenticate(request, credential));
    return verifier.authenticate(request, credential);
  }

  /** See {@link TokenVerifier.verify}. */
  async verify(token: string): Promise<TokenPrincipal | undefined> {
    return (await this.#verifier()).verify(token);
  }

  /** Forgets every token. */
  forget(): void {
    const verifier = this.#verifier.begun();
    // One that is still loading knows none.
    if (!(verifier instanceof Promise)) verifier?.forget();
  }
}
