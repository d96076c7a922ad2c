export { groupMembersRequest, removeMembersRequest } from "../group-members/schema.js";
export { groupRequest } from "../groups/schema.js";
