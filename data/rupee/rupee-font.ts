import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { openTypeFile } from '../../src/key-facts/pdf/drawing/open-type-file.ts';
import { oneGlyph } from './one-glyph.ts';

export const RUPEE_WEIGHTS = [400, 600] as const;
export type RupeeWeight = (typeof RUPEE_WEIGHTS)[number];

const { resolve } = createRequire(import.meta.url);

/** Where the screens have it. */
export function rupeeFile(weight: RupeeWeight): string {
  return fileURLToPath(
    new URL(`../../views/screens/fonts/mukta-rupee-${weight}.ttf`, import.meta.url),
  );
}

/** Mukta's ₹ as a font of its own: the package has it in a file of 15 KB. */
export function rupeeFont(weight: RupeeWeight): Buffer {
  return oneGlyph(wholeFont(weight), '₹');
}

/** The file of the package that has ₹ among other letters. */
export function wholeFont(weight: RupeeWeight): Buffer {
  const path = resolve(`@fontsource/mukta/files/mukta-latin-ext-${weight}-normal.woff`);
  return openTypeFile(readFileSync(path));
}
