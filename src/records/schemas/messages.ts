export { emailTemplateRequest, previewEmailRequest, sendEmailRequest } from "../email-templates/schema.js";
export { integrationsRequest } from "../integrations/schema.js";
export { messageTemplateRequest, previewMessageRequest } from "../message-templates/schema.js";
export { messengerRequest } from "../messengers/schema.js";
export { webhookRequest } from "../webhooks/schema.js";
