// Apart from the command: a Node that is too old refuses a file that has this syntax.
"use strict";

import("../dist/cli.js");
