/** @type {import("latchkey/lambdas").SCIMGroupResponseConverter} */
function convert(scimGroup, group) {
  scimGroup.externalId ??= group.data.directoryId;
}
