export * as emailTemplates from "./email-templates/rules.js";
export * as messageTemplates from "./message-templates/rules.js";
export * as messengers from "./messengers/rules.js";
