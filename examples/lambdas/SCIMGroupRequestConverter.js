// A group of the directory becomes one of ours, and gives a role to its members.
const roleOfEditors = "b0000000-0000-4000-8000-000000000001";

/** @type {import("latchkey/lambdas").SCIMGroupRequestConverter} */
function convert(group, members, options, scimGroup) {
  group.name = scimGroup.displayName;
  group.data.externalId = scimGroup.externalId;
  for (const { value, display } of scimGroup.members ?? []) members.push({ userId: value, data: { display } });
  if (scimGroup.displayName === "Editors") options.roleIds = [roleOfEditors];
}
