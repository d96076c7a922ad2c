function convert(group, members, options, scimGroup) {
  group.name = scimGroup.displayName;
  options.roleIds = [];
}
