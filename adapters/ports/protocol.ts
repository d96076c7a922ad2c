/** The port of protocols, which the option `protocols` mounts beside the API. */
export type {
  Protocol,
  ProtocolBody,
  ProtocolCache,
  ProtocolCall,
  ProtocolHandler,
  ProtocolHost,
  ProtocolService,
} from "../../src/service/protocol.js";
