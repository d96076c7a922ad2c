import { checkScreens } from "../support/check-screens.js";
import { peopleScreens } from "../support/screens.js";

checkScreens(peopleScreens);
