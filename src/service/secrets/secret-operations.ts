import type { ServiceContext } from "../../operations/service-context.js";
import { lazily } from "../../shared/async.js";
import type { AuditOperations, AuditVerification, AuditVerifyOptions } from "../audit/verify-audit.js";
import type { RotateOptions, RotationResult, SecretOperations } from "./rotate-secrets.js";

const loadCalls = lazily(() => import("./rotate-secrets.js"));

/** Operations on the audit log, loaded with the first call. */
export function auditOperations(service: ServiceContext, assertOutside: () => void): AuditOperations {
  return Object.freeze({
    async verify(options?: AuditVerifyOptions): Promise<AuditVerification> {
      assertOutside();
      return (await loadCalls()).verifyAudit(service, options);
    },
  });
}

/** Operations on secrets, loaded with the first call. `assertOutside` refuses calls inside of the host's own transaction. */
export function secretOperations(service: ServiceContext, assertOutside: () => void): SecretOperations {
  return Object.freeze({
    async rotate(options?: RotateOptions): Promise<RotationResult> {
      assertOutside();
      return (await loadCalls()).rotateSecrets(service, options);
    },
  });
}
