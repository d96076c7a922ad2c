import { createHmac, hash } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { RecordedEvent } from "latchkey";
import { expect, onTestFinished, test } from "vitest";
import { createReceiver } from "../../examples/webhook-receiver.js";

test("examples/webhook-receiver.ts hands on what is signed, once, and refuses the rest", async () => {
  const secret = "a secret of the tests with enough characters";
  const received: RecordedEvent[] = [];
  const receiver = createReceiver(secret, (event) => void received.push(event));
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const event = { createInstant: 1, id: "e1", type: "group.create" };
  const body = JSON.stringify({ event });
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const digest = hash("sha256", "", "base64");
  const sign = (claims: object, key: string): string => {
    const input = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
    return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
  };
  const claims = { iat: Math.floor(Date.now() / 1_000), request_body_sha256: hash("sha256", body, "base64") };
  const post = async (token: string): Promise<number> => {
    const headers = { "x-service-signature-jwt": token, "content-type": "application/json" };
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  expect(await post(sign(claims, secret))).toBe(204);
  expect(await post(sign(claims, secret))).toBe(204);
  expect(await post(sign(claims, "another secret"))).toBe(401);
  expect(await post(sign({ ...claims, request_body_sha256: digest }, secret))).toBe(401);
  expect(received).toEqual([event]);
});
