import { config } from "../../app/config.js";

/** A pending test login. Only the tab that started it can complete it. */
export interface TestLogin {
  readonly applicationId: string;
  readonly identityProviderId: string;
  /** The `state` parameter that the provider returns. */
  readonly code: string;
}

const name = "test-login";

/** Returns the redirect URI of test logins: a page of the console. */
export function testRedirectUri(): string {
  return new URL(`${config.base}providers/callback`, location.href).href;
}

/** Stores a pending test login in this tab until the provider redirects back. */
export function keepTestLogin(login: TestLogin): void {
  sessionStorage.setItem(name, JSON.stringify(login));
}

/** Returns and removes the pending test login of this tab; undefined for none. Only one response can use it. */
export function takeTestLogin(): TestLogin | undefined {
  const text = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  return text === null ? undefined : JSON.parse(text);
}
