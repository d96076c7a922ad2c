export { lambdaRequest, lambdaTestRequest, restoreLambdaRequest, unsavedLambdaTestRequest } from "../lambdas/schema.js";
