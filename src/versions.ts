/** What exists from which version of the reference to which: each fact once, as reference section 9 lists them. */

/** A feature of the reference that depends on its version. `until` is the first version without it. */
export interface VersionedFeature {
  readonly since?: string;
  readonly until?: string;
}

/** The features that depend on the version. */
export const versionedFeatures: Readonly<Record<"refuseTenantHeaderOnGlobal", VersionedFeature>> = {
  /** A tenant header on a global-only endpoint is refused; before, it was ignored. */
  refuseTenantHeaderOnGlobal: { since: "1.65.0" },
};

/** The version that a service has when the host names none. */
export const defaultVersion = "1.65.0";

/** Whether a feature exists in a version. */
export function existsIn(version: string, feature: VersionedFeature): boolean {
  const isSince = feature.since === undefined || compareVersions(version, feature.since) >= 0;
  return isSince && (feature.until === undefined || compareVersions(version, feature.until) < 0);
}

/** Orders two versions of the form major.minor.patch. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let index = 0; index < 3; index++) {
    const order = (left[index] ?? 0) - (right[index] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** @throws TypeError when the text is no version of the form major.minor.patch. */
export function assertVersion(version: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new TypeError(`version must read like ${defaultVersion}, not ${version}.`);
}
