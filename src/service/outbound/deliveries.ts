// Loaded with the first delivery, to keep starts fast.
export { requestApprovals } from "../../delivery/webhooks/request-approvals.js";
export { createDeliverers } from "./create-deliverers.js";
