import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Browser } from "./browser.js";
import type { ProviderWorld } from "./provider.js";

interface LogoutPage {
  readonly form: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
}

/** Logs out as a user does who agrees; returns the answer. */
export async function logOut({ publicUrl }: Pick<ProviderWorld, "publicUrl">, browser: Browser, url: URL): Promise<Response> {
  const { form } = (await (await browser.send(url)).json()) as LogoutPage;
  const answer = await browser.send(new URL(form.action, publicUrl), { ...form.fields, logout: "yes" });
  if (answer.status !== 200 && answer.status !== 303) throw new Error(`The logout answered ${answer.status}.`);
  return answer;
}

/** Starts a relying party that receives logout tokens; returns its URL and what it received. */
export async function receiveLogouts(): Promise<{ readonly url: string; readonly bodies: readonly string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout` };
}
