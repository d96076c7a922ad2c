// Each operation whose event can be refused says so in the document: the answers of this service are compared with it.
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { eventTypes } from "../../src/availability/event-types.js";
import { existsIn } from "../../src/availability/versions.js";
import { routes } from "../../src/families/index.js";
import { expectOk } from "../support/answer.js";
import { findStray } from "../support/conformance.js";
import { drain, toInjected, withoutDryRun } from "../support/every-operation.js";
import { setStage, toRequest } from "../support/matrix-stage.js";
import { isLong, steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { startSink } from "../support/sink.js";
import { makeWebhook } from "../support/webhooks.js";
import { startWorld } from "../support/world.js";

// Webhooks and event settings keep their values, so that each event still asks the receiver.
const keptFamilies = /^(?:tenants|webhooks|system)\./;

requirement("delivery.asked-refused", "any operation is answered as the document says", async () => {
  const world = await startWorld(memoryStorage(), { allowPrivateNetwork: true, throttle: false });
  let agrees = true;
  const { url } = await startSink((_request, response) => void response.writeHead(agrees ? 201 : 500).end());
  const asked = eventTypes.filter((type) => type.isTransactional && type.scope === "tenant" && existsIn("1.65.0", type));
  const types = asked.map(({ name }) => name);
  const eventsEnabled = Object.fromEntries(types.map((name) => [name, true]));
  const setting = { enabled: true, transactionType: "Any" };
  const events = Object.fromEntries(types.map((name) => [name, setting]));
  await makeWebhook(world, { url, global: true, eventsEnabled });
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { eventConfiguration: { events } } }));
  const stage = await setStage(world, world.defaultTenantId);
  const asking = routes.filter(({ method, target }) => method !== "GET" && !keptFamilies.test(target.name));
  agrees = false;
  const refused: string[] = [];
  const strays: string[] = [];
  for (const route of steps(asking, 4)) {
    const request = toRequest(route, stage);
    const response = await world.identity.inject(toInjected({ ...request, url: withoutDryRun(request.url) }));
    await drain(response.stream);
    if (response.status !== 504) continue;
    refused.push(route.target.name);
    const stray = findStray({}, { method: request.method, path: request.url.split("?")[0] ?? "" }, response);
    if (stray !== undefined) strays.push(`${route.target.name}: ${stray.slice(0, 60)}`);
  }
  expect(strays).toEqual([]);
  expect(refused.length).toBeGreaterThan(isLong ? 40 : 8);
});
