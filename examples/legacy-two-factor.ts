/** The second factor of a client of version 1.25, from its secret to a login. Run it: `node examples/legacy-two-factor.ts`. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { nodeHandler } from "latchkey/node";
import { Secret, TOTP } from "otpauth";

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// Where the provider of text messages would be.
const messages: URLSearchParams[] = [];
const provider = await listen(async (request, response) => {
  messages.push(new URLSearchParams(await text(request)));
  response.writeHead(201).end();
});

// A step of 30 seconds passes when we say so.
let now = Date.now();
const apiKey = "the-key-of-this-client-0123456789";
const options = { storage: memoryStorage(), version: "1.25.0", apiKey, allowPrivateNetwork: true, clock: () => now };
const identity = await createIdentityService(options);
const service = await listen(nodeHandler(identity));

async function call(method: string, path: string, body?: object, authorization = apiKey) {
  const headers = { authorization, "content-type": "application/json" };
  const response = await fetch(service + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  console.log(method, path.replace(/[/=][\w-]{36,}$|=\d+$/, "…"), response.status);
  const json = await response.text();
  return json === "" ? undefined : JSON.parse(json);
}

const sms = { enabled: true, accountSID: "account", authToken: "token", fromPhoneNumber: "555-0199", url: provider };
await call("PUT", "/api/integration", { integrations: { sms } });
const password = "correct horse";
const { user } = await call("POST", "/api/user", { user: { email: "ada@example.com", mobilePhone: "555-0100", password } });

const { secret, secretBase32Encoded } = await call("GET", "/api/two-factor/secret");
const authenticator = new TOTP({ secret: Secret.fromBase32(secretBase32Encoded) });
const enable = { code: authenticator.generate({ timestamp: now }), delivery: "TextMessage", secret };
await call("POST", `/api/user/two-factor/${user.id}`, enable);

now += 30_000;
const { twoFactorId } = await call("POST", "/api/login", { loginId: "ada@example.com", password });
await call("POST", `/api/two-factor/send/${twoFactorId}`);
const code = messages[0]?.get("Body")?.match(/\d{6}/)?.[0];
const { token } = await call("POST", "/api/two-factor/login", { code, twoFactorId });

now += 30_000;
await call("DELETE", `/api/user/two-factor?code=${authenticator.generate({ timestamp: now })}`, undefined, `Bearer ${token}`);
await identity.close();
process.exit();
