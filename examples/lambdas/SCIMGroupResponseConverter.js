// What a SCIM client reads back is what it sent.
/** @type {import("latchkey/lambdas").SCIMGroupResponseConverter} */
function convert(scimGroup, group, members) {
  scimGroup.displayName = group.name;
  scimGroup.members = members.map(({ userId }) => ({ value: userId, type: "User" }));
}
