import { createUrlResolver, type UrlSettings } from "../../http/authenticate/source-address.js";
import type { Runtime } from "../../ports/runtime.js";
import type { Storage } from "../../ports/storage.js";
import { ProofVerifier } from "./proof-verifier.js";
import { saveProof } from "./used-proofs.js";

/** The verification of proofs on a storage, which keeps what was used for all processes on it. */
export async function createProofVerifier(
  storage: Storage,
  settings: UrlSettings & { readonly runtime: Pick<Runtime, "clock"> },
): Promise<ProofVerifier> {
  const { clock } = settings.runtime;
  const urlOf = await createUrlResolver(settings);
  return new ProofVerifier({ clock, urlOf, keepUse: (proof) => saveProof(storage, clock, proof) });
}
