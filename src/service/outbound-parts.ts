import { explainForbiddenHost, explainForbiddenUrl } from "../delivery/http-client/forbidden-host.js";
import { HttpClientOnDemand } from "../delivery/http-client/http-client-on-demand.js";
import { BrokerConnections } from "../delivery/integrations/broker-connections.js";
import type { OutboundContext } from "../operations/service-context.js";
import type { IdentityServiceOptions, Settings } from "../options.js";
import { Bulkheads } from "../shared/bulkheads.js";
import { SingleWarnings } from "../shared/single-warnings.js";

/** Creates the outbound clients of a service, or takes the host's. */
export function createOutbound<Native>(
  {
    allowPrivateNetwork = false,
    broker,
    connectors: clients = [],
    http,
    identityProviders = [],
    ...host
  }: IdentityServiceOptions<Native>,
  { delivery, outboundCa, runtime }: Settings,
): OutboundContext {
  const { mail, moderateUsername, sendSms, telemetry } = host;
  // Separate from the service's other warnings, because lambdas can call many hosts.
  const warnings = new SingleWarnings(runtime.logger);
  const warn = (host: string): void =>
    warnings.warn(host, { host, setting: "allowPrivateNetwork" }, `A call was not made: ${explainForbiddenHost(host)}`);
  const calls = http ?? new HttpClientOnDemand({ allowsPrivateNetwork: allowPrivateNetwork, ca: outboundCa, runtime }, warn);
  const network = { allowsPrivateNetwork: allowPrivateNetwork, broker };
  const brokers = new BrokerConnections(network, runtime);
  const connectors = { bulkheads: new Bulkheads(runtime.timers, { seats: 32, queue: 1_000 }), clients, certificates: outboundCa };
  return {
    ...network,
    brokers,
    connectors,
    delivery,
    // The host's own client has its own rules.
    explainForbiddenUrl: http === undefined && !allowPrivateNetwork ? explainForbiddenUrl : async () => undefined,
    http: calls,
    identityProviders,
    mail,
    moderateUsername,
    sendSms,
    telemetry,
  };
}
