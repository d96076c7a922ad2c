import type { World } from "./world.js";

/** A world's storage for a second service, which neither opens nor closes it. */
export function shareStorage({ storage }: World): World["storage"] {
  return new Proxy(storage, {
    get: (target, name) => {
      if (name === "close" || name === "open") return async () => undefined;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
