import { data, flag, object, type Schema } from "../../http/schema/fields.js";
import type { UserCriteria } from "../users/schema.js";

/** The body of an export of users. */
export interface ExportUsersRequest {
  /**
   * Whether to include password hashes and second factors. Default false; needs the grant `POST` on
   * `/api/user/export/password-hashes`.
   */
  readonly includePasswordHashes: boolean;
  /** Criteria of a user search; order and page are ignored. Default: all users. */
  readonly search: UserCriteria;
}

/** The search itself is parsed like the body of a search. */
export const exportUsersRequest: Schema<ExportUsersRequest> = object({
  includePasswordHashes: flag().default(false),
  search: data().default({}),
});
