/** What both sides of goal 41 share: a relying party, its proof of possession of codes, and how a server hands fresh codes to the load generator. */
import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";

/** The page that codes are sent to. */
export const callback = "https://app.bench.example/callback";

/** The verifier of all codes (RFC 7636). */
export const verifier = "a-verifier-of-the-benchmark-with-enough-characters";

/** The challenge that belongs to it. */
export const challenge = createHash("sha256").update(verifier).digest("base64url");

/** The scopes of all codes. */
export const scope = "openid email profile";

/** Answers `/codes?count=n` with fresh codes, and leaves other requests to a listener. */
export const withCodes =
  (makeCode: () => Promise<string>, listener: RequestListener): RequestListener =>
  (request, response) => {
    const [, count] = /^\/codes\?count=(\d+)$/.exec(request.url ?? "") ?? [];
    if (count === undefined) return listener(request, response);
    makeCodes(Number(count), makeCode).then(
      (codes) => response.end(JSON.stringify(codes)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  };

// One after the other: those of one session at once would meet at its record.
const makeCodes = async (count: number, makeCode: () => Promise<string>): Promise<readonly string[]> => {
  const codes: string[] = [];
  while (codes.length < count) codes.push(await makeCode());
  return codes;
};
