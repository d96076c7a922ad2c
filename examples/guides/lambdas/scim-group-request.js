const editor = "40000000-0000-4000-8000-000000000002";

/** @type {import("latchkey/lambdas").SCIMGroupRequestConverter} */
function convert(group, members, options, scimGroup) {
  options.roleIds = scimGroup.displayName === "Editors" ? [editor] : [];
}
