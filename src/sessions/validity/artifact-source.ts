import type { OperationCall } from "../../operations/operation.js";

/** The API key that a call is made with, and that learns what is issued: what it asked for ends with it. */
export function keyIdOf({ principal }: Pick<OperationCall, "principal">): string | undefined {
  return principal?.kind === "apiKey" ? principal.keyId : undefined;
}
