import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { describe, expect, onTestFinished } from "vitest";
import { Agents, createHttpClient } from "../../src/delivery/http-client/http-client.js";
import type { OutboundOutcome, OutboundTls } from "../../src/ports/event-transport.js";
import { createRuntime } from "../../src/shared/default-runtime.js";
import { certificate as anotherCertificate } from "../support/certificate.js";
import { importKey } from "../support/keys.js";
import { requirement } from "../support/requirement.js";
import { authority, tlsClient, tlsServer } from "../support/tls.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, uuid } from "../support/world.js";

const unreachable = { kind: "failed", reason: "unreachable" };

/** A server that the authority of the tests vouches for, and that answers the name of the client; it wants one where it is told so. */
async function startServer(isClientWanted: boolean): Promise<string> {
  const wants = isClientWanted ? { requestCert: true, rejectUnauthorized: true, ca: authority } : {};
  const server: Server = createServer({ ...tlsServer, ...wants }, ({ socket }, response) => {
    const { subject } = (socket as TLSSocket).getPeerCertificate() ?? {};
    response.end(subject?.CN ?? "nobody");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function send(url: string, tls: OutboundTls | undefined, ca: readonly string[] = []): Promise<OutboundOutcome> {
  const client = createHttpClient({ allowsPrivateNetwork: true, ca, runtime: createRuntime() });
  onTestFinished(() => client.close());
  return client.send({ url, method: "POST", headers: {}, connectTimeoutMs: 10_000, timeoutMs: 10_000, tls });
}

describe("a call over TLS", () => {
  requirement("outbound.tls", "trusts the configured authorities besides the default ones, per call or for all", async () => {
    const url = await startServer(false);
    expect(await send(url, undefined)).toEqual(unreachable);
    expect(await send(url, { trusted: anotherCertificate })).toEqual(unreachable);
    expect(await send(url, { trusted: authority })).toMatchObject({ status: 200, body: "nobody" });
    expect(await send(url, undefined, [anotherCertificate, authority])).toMatchObject({ status: 200 });
  });

  requirement("outbound.tls", "shows the certificate of the client, and only where it is its own", async () => {
    const url = await startServer(true);
    const client = createHttpClient({ allowsPrivateNetwork: true, ca: [authority], runtime: createRuntime() });
    onTestFinished(() => client.close());
    const call = { url, method: "POST", headers: {}, connectTimeoutMs: 10_000, timeoutMs: 10_000 } as const;
    expect(await client.send({ ...call, tls: tlsClient })).toMatchObject({ status: 200, body: "client of the tests" });
    expect(await client.send(call)).toEqual(unreachable);
    expect(await client.send({ ...call, tls: tlsClient })).toMatchObject({ status: 200 });
  });

  requirement("outbound.tls", "leaves no more agents than there may be", async () => {
    const agents = new Agents({ allowsPrivateNetwork: true, runtime: createRuntime() });
    onTestFinished(() => agents.close());
    const first = agents.of(1, undefined);
    expect(agents.of(1, undefined)).toBe(first);
    expect(agents.of(1, { trusted: authority })).not.toBe(first);
    for (let timeout = 2; timeout < 200; timeout++) agents.of(timeout, undefined);
    expect(agents.size).toBe(100);
    expect(agents.of(1, undefined)).not.toBe(first);
    await agents.close();
    expect(agents.size).toBe(0);
  });

  requirement("outbound.tls", "needs certificates in the host's option", async () => {
    for (const outboundCa of ["no certificate", tlsServer.key, [authority, ""]])
      await expect(createIdentityService({ storage: memoryStorage(), outboundCa })).rejects.toThrow(/outboundCa must hold/);
  });
});

forEachStorage((start) => {
  describe("a webhook", () => {
    requirement("outbound.tls", "is called with the certificate of its key", async () => {
      const world = await start({ allowPrivateNetwork: true, outboundCa: authority });
      const { certificate, privateKey } = tlsClient;
      await importKey(world.caller, { certificate, privateKey }, uuid(5));
      const tryOut = async (webhookId: string): Promise<unknown> => {
        const answer = await world.caller.post(`/api/webhook/${webhookId}/test`, {});
        return answer.at("webhookAttemptLog.webhookCallResponse");
      };
      const url = await startServer(true);
      const limits = { url, connectTimeout: 10_000, readTimeout: 10_000 };
      expect(await tryOut(await makeWebhook(world, { ...limits, sslCertificateKeyId: uuid(5) }))).toEqual({
        statusCode: 200,
        url,
      });
      expect(await tryOut(await makeWebhook(world, limits))).toEqual({ exception: "unreachable", url });
    });

    requirement("outbound.tls", "trusts its own certificate beside the usual ones", async () => {
      const world = await start({ allowPrivateNetwork: true });
      const url = await startServer(false);
      const limits = { url, connectTimeout: 10_000, readTimeout: 10_000 };
      const trusting = await makeWebhook(world, { ...limits, sslCertificate: authority });
      const answer = await world.caller.post(`/api/webhook/${trusting}/test`, {});
      expect(answer.at("webhookAttemptLog.webhookCallResponse")).toEqual({ statusCode: 200, url });
    });
  });
});
