import { config } from "../../app/config.js";

/** A login that was begun to try a provider: of this tab alone. */
export interface TestLogin {
  readonly applicationId: string;
  readonly identityProviderId: string;
  /** The `state` that the provider sends back. */
  readonly code: string;
}

const name = "test-login";

/** Where a provider sends a test login back to: a page of the console. */
export function testRedirectUri(): string {
  return new URL(`${config.base}providers/callback`, location.href).href;
}

/** Keeps what a test login began with, until the provider sends the tab back. */
export function keepTestLogin(login: TestLogin): void {
  sessionStorage.setItem(name, JSON.stringify(login));
}

/** Takes the test login of this tab; undefined for none. It is good for one answer. */
export function takeTestLogin(): TestLogin | undefined {
  const text = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  return text === null ? undefined : JSON.parse(text);
}
