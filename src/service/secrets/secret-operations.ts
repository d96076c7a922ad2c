import type { ServiceContext } from "../../operations/service-context.js";
import { lazily } from "../../shared/async.js";
import type { AuditOperations, AuditVerification, AuditVerifyOptions } from "../audit/verify-audit.js";
import type { RotateOptions, RotationResult, SecretOperations } from "./rotate-secrets.js";

const loadCalls = lazily(() => import("./rotate-secrets.js"));

/** Operations on the audit log, loaded with the first call. */
export function auditOperations(service: ServiceContext): AuditOperations {
  return Object.freeze({
    async verify(options?: AuditVerifyOptions): Promise<AuditVerification> {
      return (await loadCalls()).verifyAudit(service, options);
    },
  });
}

/** Operations on secrets, loaded with the first call. */
export function secretOperations(service: ServiceContext): SecretOperations {
  return Object.freeze({
    async rotate(options?: RotateOptions): Promise<RotationResult> {
      return (await loadCalls()).rotateSecrets(service, options);
    },
  });
}
