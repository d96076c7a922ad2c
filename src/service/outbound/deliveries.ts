// What sends: loaded when something is to leave, which a start does without.
export { requestApprovals } from "../../delivery/webhooks/request-approvals.js";
export { createDeliverers } from "./create-deliverers.js";
