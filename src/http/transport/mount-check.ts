import type { Logger } from "../../ports/runtime.js";
import type { ApiRequest } from "../../ports/transport.js";

/**
 * Warns of the first request that is not below the path of `publicUrl`. A proxy may remove the beginning of that path, so only
 * its end counts.
 */
export function createMountCheck(publicUrl: string | undefined, logger: Logger): (request: ApiRequest) => void {
  if (publicUrl === undefined) return () => undefined;
  const { origin, pathname } = new URL(publicUrl);
  const publicPath = pathname.replace(/\/$/, "");
  let hasWarned = false;
  return ({ basePath = "" }) => {
    if (hasWarned || publicPath.endsWith(basePath)) return;
    hasWarned = true;
    const fix = `Links, issuers and redirects miss it. Set publicUrl to ${origin}${basePath}, unless a proxy adds that path.`;
    logger.warn({ basePath, publicUrl }, `The service is mounted below a path that publicUrl does not have. ${fix}`);
  };
}
