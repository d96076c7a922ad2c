import type { Protocol } from "latchkey/ports";

/** Whether only this machine can reach a host. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}

/** The URL of a host and a port. */
export function toUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

const paths = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

/** Stands for the protocols that need the public URL where nobody has said it: their first request logs what to do, and is answered 404. */
export function missingPublicUrl(): Protocol {
  return {
    name: "missing public URL",
    path: [...paths, ...paths.map((path) => `/:tenantId${path}`), "/oauth2/authorize", "/samlv2"],
    start: async ({ logger }) => {
      logger.warn({}, "OpenID Connect and SAML are off. Set LATCHKEY_PUBLIC_URL to the URL at which browsers reach this server.");
      return async () => undefined;
    },
  };
}
