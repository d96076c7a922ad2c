import { createIdentityService, type IdentityService, type IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";

export const apiKey = "test-key-of-the-transports";
export const authorized: Readonly<Record<string, string>> = { authorization: apiKey };

/** A service in memory, and what it logged as a warning or an error: nothing a caller sends may end there. */
export interface TestService {
  readonly identity: IdentityService;
  readonly logged: readonly string[];
}

export async function createTestService(options: Partial<IdentityServiceOptions> = {}): Promise<TestService> {
  const logged: string[] = [];
  const note = (fields: object, message: string): void => void logged.push(`${message} ${String(Object.values(fields)[0])}`);
  const logger = { debug: () => undefined, info: () => undefined, warn: note, error: note };
  return {
    identity: await createIdentityService({ storage: memoryStorage(), apiKey, allowWeakApiKey: true, logger, ...options }),
    logged,
  };
}
