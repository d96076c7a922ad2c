import { computed, signal } from "@preact/signals";
import { navigate } from "wouter-preact/use-browser-location";
import { config } from "./config.js";

const mount = config.base.replace(/\/$/, "");
const tenantInPath = /^\/t\/([0-9a-f-]{36})(?=\/|$)/;

/** The path of the page relative to the mount path. */
export function pathInConsole(path: string): string {
  return path.startsWith(mount) ? path.slice(mount.length) || "/" : "/";
}

const pathname = signal(location.pathname);

/** Updates the tenant after a change of the address. */
export function followPath(path: string): void {
  pathname.value = path;
}

/** The tenant in the address; undefined for all tenants. */
export const tenantId = computed(() => tenantInPath.exec(pathInConsole(pathname.value))?.[1]);

/** The base of all routes: the mount path, followed by the tenant if the address names one. */
export const routeBase = computed(() => (tenantId.value === undefined ? mount : `${mount}/t/${tenantId.value}`));

/** The address of a screen, such as `/users`, for the current tenant. */
export function href(path: string): string {
  return routeBase.value + path;
}

/** Navigates to a screen of the current tenant. */
export function go(path: string, options?: { readonly replace?: boolean }): void {
  navigate(href(path), options);
}

/** Navigates to the same area of another tenant; undefined for all tenants. */
export function goToTenant(id: string | undefined): void {
  const [area = ""] = pathInConsole(pathname.value).replace(tenantInPath, "").split("/").filter(Boolean);
  navigate(`${id === undefined ? mount : `${mount}/t/${id}`}/${area}`);
}
