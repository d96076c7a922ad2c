import { useMessages } from "../../kit/i18n.js";
import type { FormSection } from "../../kit/record-form/index.js";

/** Returns the sections of the user form. */
export function useUserLayout(): readonly FormSection[] {
  const t = useMessages("users");
  return [
    { title: t("login"), fields: ["email", "username", "phoneNumber", "password", "passwordChangeRequired", "expiry"] },
    {
      title: t("person"),
      fields: ["fullName", "firstName", "middleName", "lastName", "birthDate", "mobilePhone", "imageUrl", "parentEmail"],
    },
    { title: t("locale"), fields: ["preferredLanguages", "timezone"] },
    { title: t("data"), fields: ["data"] },
  ];
}
