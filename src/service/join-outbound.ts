import { BrokerConnections } from "../delivery/broker/broker-connections.js";
import { HttpClientOnDemand } from "../delivery/http-client/http-client-on-demand.js";
import type { ServiceContext } from "../operations/service-context.js";
import type { IdentityServiceOptions, Settings } from "../options.js";

/** Joins what calls other systems, and the functions of the host that replace it. */
export function joinOutbound<Native>(
  { allowPrivateNetwork = false, broker, http, identityProviders = [], ...host }: IdentityServiceOptions<Native>,
  { delivery, outboundCa, runtime }: Settings,
): Pick<
  ServiceContext,
  | "allowsPrivateNetwork"
  | "broker"
  | "brokers"
  | "delivery"
  | "http"
  | "identityProviders"
  | "mail"
  | "moderateUsername"
  | "sendSms"
  | "telemetry"
> {
  const { mail, moderateUsername, sendSms, telemetry } = host;
  const calls = http ?? new HttpClientOnDemand({ allowsPrivateNetwork: allowPrivateNetwork, ca: outboundCa });
  const network = { allowsPrivateNetwork: allowPrivateNetwork, broker };
  const brokers = new BrokerConnections(network, runtime.logger);
  return { ...network, brokers, delivery, http: calls, identityProviders, mail, moderateUsername, sendSms, telemetry };
}
