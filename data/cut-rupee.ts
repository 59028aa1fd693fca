/** Cuts ₹ out of Mukta for the screens: `node data/cut-rupee.ts`, after an update of `@fontsource/mukta`. */
import { writeFileSync } from 'node:fs';
import { RUPEE_WEIGHTS, rupeeFile, rupeeFont } from './rupee/rupee-font.ts';

for (const weight of RUPEE_WEIGHTS) writeFileSync(rupeeFile(weight), rupeeFont(weight));
