import type { CommandCall } from "./command.js";
import type { Finding } from "./finding.js";

const minKeyLength = 32;

/** What the variables say that the server of `npm start` reads and the commands do not. */
export function checkEnvironment({ terminal: { env } }: CommandCall): readonly Finding[] {
  const key = env.LATCHKEY_API_KEY;
  if (key === undefined || key.length >= minKeyLength) return [];
  const host = env.HOST ?? "127.0.0.1";
  const isLoopback = host === "localhost" || host === "::1" || /^127\./.test(host);
  const isRefused = env.NODE_ENV === "production" || !isLoopback;
  return [
    {
      check: "api-key",
      result: isRefused ? "fail" : "warn",
      detail: `LATCHKEY_API_KEY has fewer than ${minKeyLength} characters and can be guessed`,
      hint: `Set at least ${minKeyLength} random characters. A server refuses less in production, and where HOST is not a loopback address.`,
    },
  ];
}
