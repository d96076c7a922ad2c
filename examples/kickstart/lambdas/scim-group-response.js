function convert(scimGroup, group, members) {
  scimGroup.displayName = group.name;
  scimGroup.members = members.map((member) => ({ value: member.userId }));
}
