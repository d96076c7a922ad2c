// The README's tour, as it is printed there, run as whoever tries the service out runs it.
import { execFile, spawnSync } from "node:child_process";
import { createHmac, hash } from "node:crypto";
import { type AddressInfo, createServer } from "node:net";
import { delimiter, dirname } from "node:path";
import { promisify } from "node:util";
import type { RecordedEvent } from "latchkey";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createReceiver } from "../../examples/webhook-receiver.js";
import { createStage, type Stage } from "../blackbox/support/stage.js";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
}, 120_000);
afterAll(() => stage[Symbol.asyncDispose]());

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

test.runIf(hasCurl)("examples/one-minute.sh shows a group, its signed events and a lambda", { timeout: 120_000 }, async () => {
  const env = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    PORT: await freePort(),
    RECEIVER_PORT: await freePort(),
  };
  const { stdout } = await promisify(execFile)("sh", ["examples/one-minute.sh"], { cwd: stage.directory, env });
  const group = "10000000-0000-4000-8000-000000000002";
  const told = stdout.split("\n").filter((line) => line.startsWith("group."));
  expect(told.toSorted()).toEqual([`group.create ${group}`, ...Array(3).fill(`group.update ${group}`)]);
  expect(stdout).toContain('"name":"Authors"');
  expect(stdout).toContain("Hello Ada");
});

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
