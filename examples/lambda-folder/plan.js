/** @type {import("latchkey/lambdas").JWTPopulate} */
function populate(jwt) {
  jwt.plan = jwt.department === "research-lab" ? "gold" : "free";
}
