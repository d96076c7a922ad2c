import type { MessageSource } from "../../kit/i18n.js";

/** The texts of the logs. */
export const logMessages: MessageSource = { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") };
