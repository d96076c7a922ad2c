import { createIdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished, vi } from "vitest";
import { callWebhook, enrichToken } from "../../examples/first.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeDirectory } from "../support/temporary.js";
import { testSecret } from "../support/world.js";

requirement(
  "defaults.first-example",
  "the options of the README's first example are enough for a webhook and a lambda",
  async () => {
    const sink = await startSink();
    const storage = sqliteStorage({ filename: `${makeDirectory()}/identity.db` });
    // The receiver of the test is on this machine.
    const identity = await createIdentityService({ storage, secret: testSecret, allowPrivateNetwork: true });
    onTestFinished(() => identity.close());
    await callWebhook(identity, sink.url);
    expect(await enrichToken(identity)).toMatchObject({ department: "Engines" });
    await vi.waitFor(() => expect(sink.received).toHaveLength(1), { timeout: 20_000 });
    expect(JSON.parse(sink.received[0]?.body ?? "")).toMatchObject({ event: { type: "user.create" } });
  },
);
