import type { IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { Interaction } from "../../../adapters/oidc/http/interactions.js";
import { createPages, type PageOptions } from "../../../adapters/oidc/pages/index.js";
import { expectOk } from "../../support/answer.js";
import { type Factors, startFactors } from "../../support/factors.js";
import { ids } from "../../support/logins.js";
import { startWorld } from "../../support/world.js";
import { createStandIn, type StandInProvider } from "./stand-in-provider.js";
import { Visitor } from "./visitor.js";

/** The id of the interaction of a stage. */
export const uid = "interaction-1";

/** Its path. */
export const login: string = `/oauth2/interaction/${uid}`;

/** A service with the pages, a user and an application, and an interaction that waits for a login. */
export interface Stage extends Factors, Pick<StandInProvider, "ended" | "shown"> {
  readonly visitor: Visitor;
  /** Adds an interaction, or changes the one there is. */
  readonly ask: (changes?: Changes) => void;
  /** Changes the application. */
  readonly setApplication: (settings: object) => Promise<void>;
}

type Changes = Partial<Omit<Interaction, "accounts">> & { readonly accounts?: Interaction["accounts"] };

/** Options of the service, and where browsers reach it. */
export interface StageOptions extends Partial<IdentityServiceOptions> {
  readonly findPublicUrl?: (() => string) | undefined;
}

/** Starts a stage. */
export async function startStage(
  pages: PageOptions = {},
  { findPublicUrl = () => "http://localhost", ...options }: StageOptions = {},
): Promise<Stage> {
  const provider = createStandIn(createPages(pages), findPublicUrl);
  const protocols = [provider.protocol];
  const factors = await startFactors((given) => startWorld(memoryStorage(), { ...given, ...options, protocols }));
  const { world } = factors;
  const ask = (changes: Changes = {}): void =>
    provider.add({
      uid,
      prompt: "login",
      reasons: ["no_session"],
      tenantId: world.defaultTenantId,
      applicationId: ids.application,
      params: { redirect_uri: "https://app.example/callback" },
      missingScopes: [],
      accounts: [],
      ...changes,
    });
  ask();
  const { ended, shown } = provider;
  return {
    ...factors,
    ended,
    shown,
    ask,
    visitor: new Visitor(world.identity),
    setApplication: async (application) => {
      expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application }));
    },
  };
}
