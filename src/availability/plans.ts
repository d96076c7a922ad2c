import { lambdaPaths } from "../lambdas/types/lambda-paths.js";

/** What needs which plan: each fact once, as docs/reference/service.md#versions-and-plans lists them. */

/** The plans of the reference, each with all that those before it have. */
export const plans = ["community", "starter", "essentials", "enterprise"] as const;

/** A plan of the reference. */
export type Plan = (typeof plans)[number];

/** The least plan for values that a field may take, by the path of the field. */
export const valuePlans: Readonly<Record<string, Readonly<Record<string, Plan>>>> = {
  "lambda.type": {
    ClientCredentialsJWTPopulate: "starter",
    EpicGamesReconcile: "essentials",
    LDAPConnectorReconcile: "starter",
    MFARequirement: "enterprise",
    NintendoReconcile: "essentials",
    SCIMGroupRequestConverter: "enterprise",
    SCIMGroupResponseConverter: "enterprise",
    SCIMServerGroupRequestConverter: "enterprise",
    SCIMServerGroupResponseConverter: "enterprise",
    SCIMServerUserRequestConverter: "enterprise",
    SCIMServerUserResponseConverter: "enterprise",
    SCIMUserRequestConverter: "enterprise",
    SCIMUserResponseConverter: "enterprise",
    SonyPSNReconcile: "essentials",
    SteamReconcile: "essentials",
    TwitchReconcile: "essentials",
    XboxReconcile: "essentials",
  },
};

/** The least plan for records, fields, headers and functions of lambdas, by the wrapper, by the path from it or by the name. */
export const fieldPlans: Readonly<Record<string, Plan>> = {
  DPoP: "enterprise",
  "apiKey.ipAccessControlListId": "enterprise",
  "application.accessControlConfiguration.uiIPAccessControlListId": "enterprise",
  ...lambdaPlacePlans(),
  entity: "starter",
  entityType: "starter",
  fetch: "essentials",
  field: "starter",
  form: "starter",
  grant: "starter",
  ipAccessControlList: "enterprise",
  permission: "starter",
  "tenant.accessControlConfiguration.uiIPAccessControlListId": "enterprise",
};

// A place for a kind of lambdas needs the plan that the kind needs.
function lambdaPlacePlans(): Readonly<Record<string, Plan>> {
  return Object.fromEntries(
    Object.entries(lambdaPaths).flatMap(([path, type]) => {
      const plan = valuePlans["lambda.type"]?.[type];
      return plan === undefined ? [] : [[path, plan]];
    }),
  );
}

/** Whether a plan has what needs at least another. */
export function includesPlan(plan: Plan, least: Plan | undefined): boolean {
  return least === undefined || plans.indexOf(plan) >= plans.indexOf(least);
}
