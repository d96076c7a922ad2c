// Every account flow that mails or texts an id, as a person goes through it: with the message, twice, too late, elsewhere, in two browsers at once.
import { describe, expect } from "vitest";
import { expectEmpty } from "../support/answer.js";
import { type FlowLink, flowLinks } from "../support/flow-links.js";
import { startTexts } from "../support/flow-texts.js";
import { startFlows } from "../support/flows.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { steps } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, type Start, type World } from "../support/world.js";

/** A service where the mail of a flow has arrived, and how a person opens its link. */
interface Arrived {
  readonly world: World;
  readonly words: readonly string[];
  readonly open: (headers?: Readonly<Record<string, string>>) => Promise<number>;
}

interface Arriving {
  readonly world: World;
  /** The words of the next message of a kind. */
  readonly next: (kind: string) => Promise<readonly string[]>;
}

async function startMailing(start: Start, { tenant }: FlowLink): Promise<Arriving> {
  const { nextMail, world } = await startFlows(start, { ...tenant });
  return { world, next: async (kind) => (await nextMail(kind)).words };
}

async function startTexting(start: Start): Promise<Arriving> {
  const { words, world } = await startTexts(start);
  return { world, next: async () => (await words(1)).filter((word) => word !== "") };
}

async function arrive(start: Start, flow: FlowLink): Promise<Arrived> {
  const { next, world } = await (flow.isText ? startTexting(start) : startMailing(start, flow));
  await flow.ask({ world });
  const words = await next(flow.mail);
  const open: Arrived["open"] = async (headers = {}) => {
    const answer = await flow.open(world, words, headers);
    if (answer.status === 404) expectEmpty(answer, 404);
    return answer.status;
  };
  return { world, words, open };
}

let storages = 0;

// By default each flow is tried on one storage.
forEachStorage((start) => {
  describe.each(steps(Object.entries(flowLinks), 3, storages++))("%s", (_name, flow) => {
    requirement("account.flow-walk", "works until its lifetime is over", async () => {
      const { open, world } = await arrive(start, flow);
      world.clock.advance(flow.lifetime * 1_000);
      expect(await open()).toBe(404);
    });

    requirement("account.flow-walk", "works once in two browsers at once, after others tried it in another tenant", async () => {
      const { open, world } = await arrive(start, flow);
      const other = await makeTenant(world, "Other");
      expect(await open({ "X-Service-TenantId": other })).toBe(404);
      const home = { "X-Service-TenantId": world.defaultTenantId };
      expect((await Promise.all([open(home), open(home)])).sort()).toEqual([200, 404]);
      expect(await open(home)).toBe(404);
    });

    requirement("account.flow-walk", "does nothing at the link of another flow, and works at its own, once", async () => {
      const { open, world, words } = await arrive(start, flow);
      for (const [name, other] of Object.entries(flowLinks)) {
        if (other.open === flow.open || other.mail === flow.mail) continue;
        expect([name, (await other.open(world, words, {})).status]).toEqual([name, 404]);
      }
      expect([await open(), await open()]).toEqual([200, 404]);
    });
  });
}, embeddedPostgres());
