import { writeEventLog } from "../audit/event-logs/rules.js";
import { type HandleContext, handle } from "../handle.js";
import type { Principal } from "../http/authenticate/principal.js";
import { authorizeCall } from "../http/authorize/authorize-call.js";
import { allowsOrigin } from "../http/transport/cors.js";
import { type BodyKind, readBody, readJsonBody } from "../http/transport/read-body.js";
import { type BodyLimits, narrow } from "../http/transport/read-bytes.js";
import { readText } from "../http/transport/read-text.js";
import type { ApiRequest } from "../ports/transport.js";
import { lazily } from "../shared/async.js";
import type { ProtocolBody, ProtocolCall, ProtocolHost } from "./protocol.js";
import { createLookups } from "./protocol-lookups.js";

const loadOpenId = lazily(() => import("../openid/openid-host.js"));

/** The members of the host that only the service can create. */
export type ServiceParts = Pick<ProtocolHost, "as" | "transaction" | "urlOf">;

const onlyForms: ReadonlySet<BodyKind> = new Set(["form"]);

async function readForm(request: ApiRequest, limits: BodyLimits): Promise<Readonly<Record<string, string>>> {
  const form = await readBody(request, onlyForms, limits);
  const fields = Object.entries(form?.value ?? {});
  return Object.fromEntries(fields.map(([name, value]) => [name, String([value].flat()[0] ?? "")]));
}

function createReaders({ bodyLimits, maxImportBytes }: HandleContext): Pick<ProtocolHost, "readBody" | "readForm" | "readText"> {
  return {
    readBody(request: ApiRequest, { types, bulkLists }: ProtocolBody) {
      const maxBytes = bulkLists.length === 0 ? bodyLimits.maxBytes : maxImportBytes;
      return readJsonBody(request, { types, bulkLists, limits: { ...bodyLimits, maxBytes } });
    },
    readText: (request: ApiRequest, maxBytes?: number) => readText(request, narrow(bodyLimits, maxBytes)),
    readForm: (request: ApiRequest) => readForm(request, bodyLimits),
  };
}

/** Creates the host of a service's protocols. */
export function createProtocolHost(
  context: HandleContext,
  parts: ServiceParts & Pick<ProtocolHost, "callProtocol">,
): ProtocolHost {
  const { authenticator, bodyLimits, maxImportBytes, service, tenantHeaderName } = context;
  return Object.freeze({
    version: service.version,
    maxBodyBytes: bodyLimits.maxBytes,
    maxImportBytes,
    clock: service.runtime.clock,
    newId: service.runtime.newId,
    random: service.runtime.random,
    logger: service.runtime.logger,
    ...parts,
    publicUrl: service.accounts.publicUrl,
    http: service.http,
    allowsOrigin: (origin: string) => allowsOrigin(context.cors, origin),
    addressOf: (request: ApiRequest) => service.addressOf(request)?.text,
    serve: (request: ApiRequest, principal?: Principal) => handle(context, request, principal),
    tenantHeaderName,
    openId: lazily(async () => new (await loadOpenId()).OpenIdHost(service)),
    deriveSecrets: (purpose: string) => service.sealer.derive(purpose),
    isLicensed: (name: string) => service.availability.isLicensed(name),
    authenticate: async (request: ApiRequest) => authenticator.authenticate(request),
    authorize(principal: Principal, call: ProtocolCall, { headers }: ApiRequest) {
      const header = headers[tenantHeaderName.toLowerCase()];
      const named = { name: tenantHeaderName, value: header && String(header), isRefusedOnGlobal: false };
      const { scope } = authorizeCall(principal, { ...call, access: "tenant" }, named);
      return scope.kind === "tenant" ? scope.tenantId : undefined;
    },
    ...createReaders(context),
    ...createLookups(context.service),
    async recordEvent(entry: Parameters<ProtocolHost["recordEvent"]>[0]) {
      await service.storage.transaction((tx) => writeEventLog({ service, tx }, entry));
    },
  });
}
