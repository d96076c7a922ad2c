import { generalError } from "../../errors/identity-error.js";
import type { OperationCall } from "../../operations/operation.js";

/** The key that a token is bound to (RFC 9449, 6.1), as it stands in the claim `cnf`. */
export interface Binding {
  /** The thumbprint of the key (RFC 7638). */
  readonly jkt: string;
}

/**
 * The key that a call proves to hold in its header `DPoP`, and that the token it asks for is to be bound to; undefined without such a
 * header, and in versions that do not know it. A proof is used up, and written
 * down in a transaction of its own: ask once in a call, and not inside of `call.write`.
 * @throws IdentityError 400 `[invalidDPoPProof]` when the proof is wrong or was used before; 400 `[notLicensed]DPoP` when the plan does
 * not include bound tokens.
 */
export async function bindingOf({ request, service }: OperationCall): Promise<Binding | undefined> {
  if (request?.headers.dpop === undefined || !service.availability.behaves("boundTokens")) return undefined;
  service.availability.assertLicensed("DPoP");
  const jkt = await service.verifyProof(request);
  if (jkt === undefined) throw generalError("invalidDPoPProof");
  return { jkt };
}
