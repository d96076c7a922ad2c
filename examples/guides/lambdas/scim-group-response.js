/** @type {import("latchkey/lambda-types").SCIMGroupResponseConverter} */
function convert(scimGroup, group) {
  scimGroup.externalId ??= group.data.directoryId;
}
