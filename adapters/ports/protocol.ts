/** Port for protocols, which the option `protocols` mounts besides the API. */
export type {
  Protocol,
  ProtocolBody,
  ProtocolCache,
  ProtocolCall,
  ProtocolHandler,
  ProtocolHost,
  ProtocolService,
} from "../../src/service/protocol.js";
