// In-process calls of hosts only, loaded with the first of them.
export { retrySetAside } from "../delivery/engine/set-aside.js";
export { publishGiven } from "../delivery/events/publish-given.js";
export { sendSms } from "./sms/send-sms.js";
