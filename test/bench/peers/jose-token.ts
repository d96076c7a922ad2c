/** The limit of goal 26: node:http, one look-up of the client, one signature by jose with EdDSA. */
import { hash, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { generateKeyPair, SignJWT } from "jose";
import { toBasic } from "../harness/clients.ts";
import { listen } from "../harness/listen.ts";
import { announceReady } from "../harness/subject.ts";

const clientId = randomUUID();
const secret = "a-secret-of-the-client-with-enough-characters";
const scope = `target-entity:${randomUUID()}:GET:/api/group`;
const credential = toBasic(clientId, secret);
const clients = new Map([[clientId, Buffer.from(hash("sha256", secret))]]);
const { privateKey } = await generateKeyPair("EdDSA");

const isKnown = (header: string | undefined): boolean => {
  const [id = "", given = ""] = Buffer.from(header?.slice("Basic ".length) ?? "", "base64")
    .toString("utf8")
    .split(":");
  const digest = clients.get(id);
  return digest !== undefined && timingSafeEqual(digest, Buffer.from(hash("sha256", given)));
};

const readText = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
    request.on("end", () => resolve(text));
  });

const sign = (asked: string): Promise<string> =>
  new SignJWT({ permissions: { [asked.slice(14, 50)]: ["GET:/api/group"] }, scope: asked, tid: clientId })
    .setProtectedHeader({ alg: "EdDSA", kid: "bench", typ: "JWT", gty: ["client_credentials"] })
    .setSubject(clientId)
    .setAudience(asked.slice(14, 50))
    .setIssuer("bench")
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(privateKey);

const server = createServer(async (request, response) => {
  const form = new URLSearchParams(await readText(request));
  if (!isKnown(request.headers.authorization)) return void response.writeHead(401).end();
  const asked = String(form.get("scope"));
  const answer = { access_token: await sign(asked), expires_in: 3_600, scope: asked, token_type: "Bearer" };
  const body = JSON.stringify(answer);
  const length = { "content-length": Buffer.byteLength(body) };
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store", ...length }).end(body);
});

announceReady({ port: await listen(server), ids: [scope], credential });
