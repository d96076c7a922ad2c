import { computed, signal } from "@preact/signals";
import { navigate } from "wouter-preact/use-browser-location";
import { config } from "./config.js";

const mount = config.base.replace(/\/$/, "");
const tenantInPath = /^\/t\/([0-9a-f-]{36})(?=\/|$)/;

/** The path of the page without the place of the console. */
export function pathInConsole(path: string): string {
  return path.startsWith(mount) ? path.slice(mount.length) || "/" : "/";
}

const pathname = signal(location.pathname);

/** Keeps the tenant after each change of the address. */
export function followPath(path: string): void {
  pathname.value = path;
}

/** The tenant that the address names; undefined for all tenants. */
export const tenantId = computed(() => tenantInPath.exec(pathInConsole(pathname.value))?.[1]);

/** Where routes begin: the place of the console, with the tenant. */
export const routeBase = computed(() => (tenantId.value === undefined ? mount : `${mount}/t/${tenantId.value}`));

/** The address of a screen, such as `/users`, for the tenant of the page. */
export function href(path: string): string {
  return routeBase.value + path;
}

/** Goes to a screen of the tenant of the page. */
export function go(path: string, options?: { readonly replace?: boolean }): void {
  navigate(href(path), options);
}

/** Shows the area of the page for another tenant; undefined for all tenants. */
export function goToTenant(id: string | undefined): void {
  const [area = ""] = pathInConsole(pathname.value).replace(tenantInPath, "").split("/").filter(Boolean);
  navigate(`${id === undefined ? mount : `${mount}/t/${id}`}/${area}`);
}
