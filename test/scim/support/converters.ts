import type { LambdaType } from "latchkey/lambdas";
import { giveTenant } from "../../support/lambda-places.js";
import type { World } from "../../support/world.js";

type Place = "User" | "EnterpriseUser" | "Group";

/** Gives the default tenant a converter. */
export function convert(world: World, place: Place, direction: "Request" | "Response", statements: string): Promise<string> {
  const type: LambdaType = `SCIM${place === "Group" ? "Group" : "User"}${direction}Converter`;
  return giveTenant(world, `lambdaConfiguration.scim${place}${direction}ConverterId`, type, statements);
}
