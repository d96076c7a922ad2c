import type { OperationCall } from "../operations/operation.js";

/** The key that a token is bound to (RFC 9449, 6.1), as it stands in the claim `cnf`. */
export interface Binding {
  /** The thumbprint of the key (RFC 7638). */
  readonly jkt: string;
}

/** The key that a call proves to hold, and that the token it asks for is to be bound to; undefined when it proves none. */
export async function bindingOf(_call: OperationCall): Promise<Binding | undefined> {
  return undefined;
}
