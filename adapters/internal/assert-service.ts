/** @throws TypeError for anything but a service, such as the promise of one. */
export function assertService(identity: unknown, method: "authorize" | "handle"): void {
  if (typeof (Object(identity) as { readonly [name: string]: unknown })[method] !== "function")
    throw new TypeError("identity must be a service: pass what createIdentityService resolves to, after await.");
}
