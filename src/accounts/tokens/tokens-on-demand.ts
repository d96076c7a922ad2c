import type { TokenAuthenticator } from "../../http/authenticate/authenticate-request.js";
import type { TokenPrincipal } from "../../http/authenticate/principal.js";
import type { TokenCredential } from "../../http/authenticate/read-credential.js";
import type { ApiRequest } from "../../ports/transport.js";
import { lazily } from "../../shared/async/lazily.js";
import type { TokenVerifier } from "./verify-token.js";

/** The verification of tokens, loaded with the first of them. */
export class TokensOnDemand implements TokenAuthenticator {
  readonly #load: () => TokenVerifier | Promise<TokenVerifier>;
  #verifier: TokenVerifier | undefined;

  constructor(load: () => Promise<TokenVerifier>) {
    this.#load = lazily(async () => {
      const verifier = await load();
      this.#verifier ??= verifier;
      return this.#verifier;
    });
  }

  /** See {@link TokenVerifier.authenticate}. */
  authenticate(request: ApiRequest, credential: TokenCredential): TokenPrincipal | Promise<TokenPrincipal> {
    const verifier = this.#load();
    if (verifier instanceof Promise) return verifier.then((loaded) => loaded.authenticate(request, credential));
    return verifier.authenticate(request, credential);
  }

  /** See {@link TokenVerifier.verify}. */
  async verify(token: string): Promise<TokenPrincipal | undefined> {
    return (await this.#load()).verify(token);
  }

  /** Forgets every token. */
  forget(): void {
    this.#verifier?.forget();
  }
}
