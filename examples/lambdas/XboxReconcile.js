// The gamertag may change, the id of the account does not.
/** @type {import("latchkey/lambdas").XboxReconcile} */
function reconcile(user, registration, userInfo) {
  registration.username = String(userInfo.gtg);
  registration.data.xboxId = userInfo.xid;
  registration.data.isAdult = userInfo.agg === "Adult";
}
