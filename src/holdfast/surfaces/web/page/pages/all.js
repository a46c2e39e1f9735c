// Every page that opens beside the timeline. A page is `{ name, route, load, draw }`.

import { page as checkpoint } from "./checkpoint.js";

export const PAGES = [checkpoint];
