import type { MessageSource } from "../../kit/i18n.js";

/** The messages of the log screens. */
export const logMessages: MessageSource = { en: () => import("./messages.en.json"), de: () => import("./messages.de.json") };
