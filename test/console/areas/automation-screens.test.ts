import { checkScreens } from "../support/check-screens.js";
import { automationScreens } from "../support/screens.js";

checkScreens(automationScreens);
