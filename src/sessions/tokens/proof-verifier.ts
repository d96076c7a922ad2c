import type { BoundToken } from "../../http/authenticate/principal.js";
import { isDuplicateHeader } from "../../http/authenticate/read-credential.js";
import { createUrlResolver, type UrlResolver, type UrlSettings } from "../../http/authenticate/source-address.js";
import type { Clock, Runtime } from "../../ports/runtime.js";
import type { Storage } from "../../ports/storage.js";
import type { ApiRequest } from "../../ports/transport.js";
import { type Proof, ProofKeys, verifyProof } from "./dpop-proof.js";
import { saveProof } from "./used-proofs.js";

interface ProofContext {
  readonly clock: Clock;
  readonly urlOf: UrlResolver;
  /** Records the use of a proof; returns false if any process has recorded it before. */
  readonly keepUse: (proof: Proof) => Promise<boolean>;
}

/** Verifies the proofs in the header `DPoP` (RFC 9449); each is valid once. */
export class ProofVerifier {
  readonly #context: ProofContext;
  readonly #keys = new ProofKeys();

  constructor(context: ProofContext) {
    this.#context = context;
  }

  /**
   * The thumbprint of the key that a request proves to hold; with a bound token, it must be the token's key. Undefined without a
   * valid proof. Uses up a valid one.
   * @throws StorageUnavailable when the storage cannot check for replay.
   */
  async verify(request: ApiRequest, bound?: BoundToken, isHostRoute = false): Promise<string | undefined> {
    const proof = await this.#read(request, bound, isHostRoute);
    // Invalid proofs are not stored: only a sender of valid proofs can make us write.
    return proof !== undefined && (await this.#context.keepUse(proof)) ? proof.thumbprint : undefined;
  }

  async #read(request: ApiRequest, bound: BoundToken | undefined, isHostRoute: boolean): Promise<Proof | undefined> {
    const { dpop } = request.headers;
    const isTwice = request.rawHeaders !== undefined && isDuplicateHeader(request.rawHeaders, "dpop");
    const url = typeof dpop !== "string" || isTwice ? undefined : this.#context.urlOf(request, isHostRoute);
    if (typeof dpop !== "string" || url === undefined) return undefined;
    return verifyProof(this.#keys, dpop, { method: request.method, url, now: this.#context.clock(), bound });
  }
}

/** A verifier that shares used proofs with all processes on the storage. */
export async function createProofVerifier(
  storage: Storage,
  settings: UrlSettings & { readonly runtime: Pick<Runtime, "clock"> },
): Promise<ProofVerifier> {
  const { clock } = settings.runtime;
  const urlOf = await createUrlResolver(settings);
  return new ProofVerifier({ clock, urlOf, keepUse: (proof) => saveProof(storage, clock, proof) });
}
