// Every page that opens beside the timeline. A page is `{ name, route, load, draw }`.

import { page as checkpoint } from "./checkpoint.js";
import { page as compare } from "./compare.js";
import { page as file } from "./file.js";
import { page as search } from "./search.js";
import { page as session } from "./session.js";
import { page as stats } from "./stats.js";

export const PAGES = [checkpoint, compare, file, search, session, stats];
