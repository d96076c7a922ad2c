import { checkScreens } from "../support/check-screens.js";
import { systemScreens } from "../support/screens.js";

checkScreens(systemScreens);
