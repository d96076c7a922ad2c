import { FieldErrorList, fieldError } from "../errors/identity-error.js";
import type { SearchDefinition, SearchFilter } from "../search/parse-criteria.js";
import { isObject, isObjectOrList, splitMember, valueAt } from "../shared/objects.js";
import { type EventType, eventTypes } from "./event-types.js";
import { lambdaPaths } from "./lambda-paths.js";
import { type Behavior, behaviorVersions, existsIn, fieldVersions, valueVersions } from "./versions.js";

/** Checks which parts of the reference a service has, by version and plan. All families use it. */
export interface Availability {
  /** Whether the plan includes the entry of this name in the table of plans. */
  isLicensed(name: string): boolean;
  /** @throws IdentityError 400 `[notLicensed]<wrapper>` when the plan does not include records of this kind. */
  assertLicensed(wrapper: string): void;
  /** Returns the fields that the version lacks: paths below the wrapper, each as its segments. */
  absentFields(wrapper: string): readonly (readonly string[])[];
  /** @throws IdentityError 400 for values outside of the version, and for fields and values outside of the plan. */
  assertValues(wrapper: string, request: unknown): void;
  behaves(behaviour: Behavior): boolean;
  /** Whether the version and the plan send an event of this type. */
  isSent(eventName: string): boolean;
  /** Whether the version has a value of the field at a path from the wrapper. */
  hasValue(path: string, value: string): boolean;
  /** Narrows a search to the values of the version, and adds the host's searchable members of `data`. */
  searchOf(wrapper: string, search: SearchDefinition): SearchDefinition;
}

interface Restrictions {
  readonly absentFields: readonly (readonly string[])[];
  readonly plannedFields: readonly string[];
  readonly versionedValues: readonly string[];
  readonly plannedValues: readonly string[];
}

type SearchableData = ReadonlyMap<string, readonly string[]>;

/** Creates the checks for a version and a plan of the reference. */
export function createAvailability(version: string, plan: Plan, searchable: SearchableData = new Map()): Availability {
  const known = new Map<string, Restrictions>();
  // Cached, so that requests do not search the tables.
  const restrictionsOf = (wrapper: string): Restrictions => {
    const restrictions = known.get(wrapper) ?? findRestrictions(wrapper, version);
    known.set(wrapper, restrictions);
    return restrictions;
  };
  const hasValue = (path: string, value: string): boolean => existsIn(version, valueVersions[path]?.[value]);
  const isLicensed = (name: string): boolean => includesPlan(plan, fieldPlans[name]);
  const isSent = createSentCheck(hasValue, plan);
  return {
    isLicensed,
    assertLicensed(wrapper) {
      if (!isLicensed(wrapper)) throw fieldError("notLicensed", wrapper);
    },
    absentFields: (wrapper) => restrictionsOf(wrapper).absentFields,
    assertValues(wrapper, request) {
      const { plannedFields, versionedValues, plannedValues } = restrictionsOf(wrapper);
      const errors = new FieldErrorList();
      for (const path of plannedFields) if (!isLicensed(path) && isSet(valueAt(request, path))) errors.add("notLicensed", path);
      for (const path of versionedValues) {
        const value = valueAt(request, path);
        const isAbsent = (name: string): boolean => !hasValue(path, name);
        // An unknown text is an invalid option; an unknown key makes a map another type.
        if (namesIn(value).some(isAbsent)) errors.add(typeof value === "string" ? "invalidOption" : "invalidJSON", path);
      }
      for (const path of plannedValues) {
        const isMissing = (name: string): boolean => !includesPlan(plan, valuePlans[path]?.[name]);
        if (namesIn(valueAt(request, path)).some(isMissing)) errors.add("notLicensed", path);
      }
      errors.throwIfAny();
    },
    behaves: (behaviour) => existsIn(version, behaviorVersions[behaviour]),
    isSent,
    hasValue,
    searchOf: (wrapper, search) => withMembers(withValuesOf(version, wrapper, search), searchable.get(wrapper)),
  };
}

// The set is built once, because each event needs it.
function createSentCheck(hasValue: Availability["hasValue"], plan: Plan): Availability["isSent"] {
  let sent: ReadonlySet<string> | undefined;
  const isSent = ({ name, plan: least }: EventType): boolean =>
    hasValue("webhook.eventsEnabled", name) && includesPlan(plan, least);
  return (eventName) => {
    sent ??= new Set(eventTypes.filter(isSent).map(({ name }) => name));
    return sent.has(eventName);
  };
}

function findRestrictions(wrapper: string, version: string): Restrictions {
  const absent = pathsOf(fieldVersions, wrapper).filter((path) => !existsIn(version, fieldVersions[path]));
  return {
    absentFields: absent.map((path) => path.split(".").slice(1)),
    plannedFields: pathsOf(fieldPlans, wrapper),
    versionedValues: pathsOf(valueVersions, wrapper),
    plannedValues: pathsOf(valuePlans, wrapper),
  };
}

/** Returns a copy of a JSON value without the members at these paths, or the value itself if it has none of them. */
export function withoutFields(value: unknown, paths: readonly (readonly string[])[]): unknown {
  return paths.reduce(withoutField, value);
}

function withoutField(value: unknown, path: readonly string[]): unknown {
  return isObject(value) ? splitMember(value, path)[0] : value;
}

function withMembers(search: SearchDefinition, members: readonly string[] | undefined): SearchDefinition {
  return members === undefined ? search : { ...search, members };
}

function withValuesOf(version: string, wrapper: string, search: SearchDefinition): SearchDefinition {
  const narrow = ([name, filter]: [string, SearchFilter]): [string, SearchFilter] => {
    const lifetimes = valueVersions[`${wrapper}.${name}`];
    if (filter.kind !== "option" || lifetimes === undefined) return [name, filter];
    return [name, { ...filter, values: filter.values.filter((value) => existsIn(version, lifetimes[value])) }];
  };
  if (pathsOf(valueVersions, wrapper).length === 0) return search;
  return { ...search, filters: Object.fromEntries(Object.entries(search.filters).map(narrow)) };
}

function pathsOf(table: Readonly<Record<string, unknown>>, wrapper: string): readonly string[] {
  return Object.keys(table).filter((path) => path.startsWith(`${wrapper}.`));
}

// Returns the names in a field: its text, or the keys of its map.
function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return isObjectOrList(value) ? Object.keys(value) : [];
}

// False and an empty list count as not set.
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** The plans, each fact once, as in docs/reference/service.md#versions-and-plans. */

/** The plans of the reference. Each includes those before it. */
export const plans = ["community", "starter", "essentials", "enterprise"] as const;

/** A plan of the reference. */
export type Plan = (typeof plans)[number];

/** The calls with rate limits by tenant. */
export const rateLimitNames = [
  "failedLogin",
  "forgotPassword",
  "sendEmailVerification",
  "sendPasswordless",
  "sendPasswordlessPhone",
  "sendPhoneVerification",
  "sendRegistrationVerification",
  "sendTwoFactor",
] as const;

/** The name of one of {@link rateLimitNames}. */
export type RateLimitName = (typeof rateLimitNames)[number];

/** The lowest plan for values of a field, by the path of the field. */
export const valuePlans: Readonly<Record<string, Readonly<Record<string, Plan>>>> = {
  "application.oauthConfiguration.relationship": { ThirdParty: "essentials" },
  "identityProvider.type": {
    EpicGames: "essentials",
    Nintendo: "essentials",
    SonyPSN: "essentials",
    Steam: "essentials",
    Twitch: "essentials",
    Xbox: "essentials",
  },
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

/** The lowest plan for records, fields, headers and functions of lambdas: by wrapper, by path from the wrapper, or by name. */
export const fieldPlans: Readonly<Record<string, Plan>> = {
  DPoP: "enterprise",
  "apiKey.ipAccessControlListId": "enterprise",
  "application.accessControlConfiguration.uiIPAccessControlListId": "enterprise",
  "application.themeId": "starter",
  "application.webAuthnConfiguration.enabled": "essentials",
  credential: "essentials",
  ...lambdaPlacePlans(),
  connector: "starter",
  entity: "starter",
  entityType: "starter",
  fetch: "essentials",
  field: "starter",
  form: "starter",
  grant: "starter",
  ipAccessControlList: "enterprise",
  permission: "starter",
  "tenant.accessControlConfiguration.uiIPAccessControlListId": "enterprise",
  ...flowPlans(),
  "application.multiFactorConfiguration.loginPolicy": "enterprise",
  "application.multiFactorConfiguration.trustPolicy": "enterprise",
  "tenant.multiFactorConfiguration.email.enabled": "starter",
  "tenant.multiFactorConfiguration.sms.enabled": "starter",
  "tenant.passwordValidationRules.breachDetection.enabled": "starter",
  "tenant.scimServerConfiguration.enabled": "enterprise",
  "tenant.webAuthnConfiguration.enabled": "essentials",
};

// The mails and limits of account flows in the reference's largest plan.
function flowPlans(): Readonly<Record<string, Plan>> {
  const mails = [
    "emailUpdate",
    "loginIdInUseOnCreate",
    "loginIdInUseOnUpdate",
    "loginNewDevice",
    "loginSuspicious",
    "passwordResetSuccess",
    "passwordUpdate",
    "twoFactorMethodAdd",
    "twoFactorMethodRemove",
  ];
  const ofMails = mails.flatMap((name) =>
    ["application", "tenant"].map((wrapper) => `${wrapper}.emailConfiguration.${name}EmailTemplateId`),
  );
  const ofLimits = rateLimitNames.map((name) => `tenant.rateLimitConfiguration.${name}.enabled`);
  return Object.fromEntries([...ofMails, ...ofLimits].map((path) => [path, "enterprise"]));
}

// Attaching a lambda needs the plan of its type.
function lambdaPlacePlans(): Readonly<Record<string, Plan>> {
  return Object.fromEntries(
    Object.entries(lambdaPaths).flatMap(([path, type]) => {
      const plan = valuePlans["lambda.type"]?.[type];
      return plan === undefined ? [] : [[path, plan]];
    }),
  );
}

/** Whether a plan includes features of the lowest plan `least`. */
export function includesPlan(plan: Plan, least: Plan | undefined): boolean {
  return least === undefined || plans.indexOf(plan) >= plans.indexOf(least);
}
