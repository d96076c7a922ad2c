import type { OperationCall } from "../../operations/operation.js";

/** The API key of a call, which learns the issued artifact: the artifact ends with the key. */
export function apiKeyIdOf({ principal }: Pick<OperationCall, "principal">): string | undefined {
  return principal?.kind === "apiKey" ? principal.keyId : undefined;
}
