function populate(userInfo, user) {
  userInfo.costCentre = user.data.costCentre;
}
