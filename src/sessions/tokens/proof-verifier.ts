import type { BoundToken } from "../../http/authenticate/principal.js";
import { isDuplicateHeader } from "../../http/authenticate/read-credential.js";
import { createUrlResolver, type UrlResolver, type UrlSettings } from "../../http/authenticate/source-address.js";
import type { Clock, Runtime } from "../../ports/runtime.js";
import type { Storage } from "../../ports/storage.js";
import type { ApiRequest } from "../../ports/transport.js";
import { type Proof, ProofKeys, verifyProof } from "./dpop-proof.js";
import { saveProof } from "./used-proofs.js";

/** What the verification of proofs needs of a service. */
interface ProofContext {
  readonly clock: Clock;
  readonly urlOf: UrlResolver;
  /** Keeps that a proof was used; answers false when it was before, in this process or another. */
  readonly keepUse: (proof: Proof) => Promise<boolean>;
}

/** Verifies the proofs that requests carry in the header `DPoP` (RFC 9449), each of which counts once. */
export class ProofVerifier {
  readonly #context: ProofContext;
  readonly #keys = new ProofKeys();

  constructor(context: ProofContext) {
    this.#context = context;
  }

  /**
   * The thumbprint of the key that a request proves to hold, which is the key of the bound token when one is presented; undefined
   * without a good proof. A good one is used up.
   * @throws StorageUnavailable when nobody can say whether the proof was used before.
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

/** The verification of proofs on a storage, which keeps what was used for all processes on it. */
export async function createProofVerifier(
  storage: Storage,
  settings: UrlSettings & { readonly runtime: Pick<Runtime, "clock"> },
): Promise<ProofVerifier> {
  const { clock } = settings.runtime;
  const urlOf = await createUrlResolver(settings);
  return new ProofVerifier({ clock, urlOf, keepUse: (proof) => saveProof(storage, clock, proof) });
}
