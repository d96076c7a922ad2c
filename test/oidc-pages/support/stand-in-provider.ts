import { randomBytes } from "node:crypto";
// A provider that waits for logins and consents as the real one does, so that tests see what a page asks of it.
import { IdentityError } from "latchkey";
import type { ApiRequest, ApiResponse, Protocol, ProtocolHost } from "latchkey/ports";
import { readPageForm } from "../../../adapters/oidc/http/form.js";
import type {
  AbortedInteraction,
  Interaction,
  InteractionHost,
  Interactions,
  LoginResult,
  ProviderPage,
} from "../../../adapters/oidc/http/interactions.js";
import { pageReader, toVisitor } from "../../../adapters/oidc/server/visitor.js";
import { toApiRequest } from "../../../src/http/transport/inject.js";

/** What pages asked of the provider. */
export interface Ended {
  readonly uid: string;
  readonly login?: LoginResult;
  readonly selected?: string;
  readonly scopes?: readonly string[] | "all";
  readonly aborted?: AbortedInteraction | "default";
}

/** A provider, and what it has seen. */
export interface StandInProvider {
  readonly protocol: Protocol;
  readonly ended: Ended[];
  /** Adds an interaction. */
  readonly add: (interaction: Interaction) => void;
  /** Pages of the provider, by the path that shows them. */
  readonly shown: Map<string, ProviderPage>;
}

/** Makes a provider for these pages. */
export function createStandIn(pages: Interactions, publicUrl: () => string): StandInProvider {
  const interactions = new Map<string, Interaction>();
  const ended: Ended[] = [];
  const shown = new Map<string, ProviderPage>();
  const answers = new Map<string, ApiResponse>();
  const uidOf = ({ path }: ApiRequest): string => path.split("/")[3] ?? "";
  const end = (request: ApiRequest, what: Omit<Ended, "uid">): ApiResponse => {
    const uid = uidOf(request);
    const interaction = interactions.get(uid);
    if (interaction === undefined) throw new IdentityError(404, {});
    interactions.delete(uid);
    ended.push({ uid, ...what });
    return { status: 303, headers: { location: `${interaction.params.redirect_uri}?uid=${uid}` }, body: "" };
  };
  const toHost = (host: ProtocolHost): InteractionHost => ({
    basePath: "",
    secrets: ["a secret of the service"],
    random: randomBytes,
    clock: host.clock,
    get publicUrl() {
      return publicUrl();
    },
    api: host.as(pageReader),
    async call(request, { body, isPublic, method, proof, url }, tenantId) {
      const dropped = new Set(["content-length", "content-type", "authorization"]);
      const kept = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !dropped.has(name)));
      const tenant = tenantId === undefined ? {} : { "x-latchkey-tenantid": tenantId };
      const made = toApiRequest({ method, url, ...(body !== undefined && { body }) });
      const inner = {
        ...made,
        headers: { ...kept, ...tenant, ...made.headers, "latchkey-proof": proof },
        remoteAddress: request.remoteAddress,
      };
      const answer = await host.serve(inner, isPublic ? undefined : toVisitor(tenantId));
      return answer ?? { status: 404, headers: {}, body: "" };
    },
    readForm: (request) => readPageForm(host, request),
    find: async (request) => interactions.get(uidOf(request)),
    findEnded: async () => undefined,
    findAnswer: async (_request, { name }) => answers.get(name),
    saveAnswer: async (_request, { name }, answer) => void answers.set(name, answer),
    login: async (request, login) => end(request, { login }),
    select: async (request, selected) => end(request, { selected }),
    consent: async (request, scopes) => end(request, { scopes: scopes ?? "all" }),
    abort: async (request, aborted) => end(request, { aborted: aborted ?? "default" }),
  });
  const protocol: Protocol = {
    name: "pages",
    path: ["/oauth2", ...(pages.paths ?? [])],
    start: async (given) => {
      const host = toHost(given);
      return async (request) => {
        const page = shown.get(request.path);
        return page === undefined ? pages.handle(request, host) : pages.show(page, request, host);
      };
    },
  };
  return { protocol, ended, shown, add: (interaction) => void interactions.set(interaction.uid, interaction) };
}
