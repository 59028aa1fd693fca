import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectPath } from '../../database/data-source.js';

const WEIGHTS = [400, 600] as const;

/** English only. Every phone sold in India has a Devanagari font; ours would be 200 KB. */
const LATIN =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-200B,U+200E-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215';
const RUPEE = 'U+20B9';
const OWN_FONTS = projectPath('views/screens/fonts');

const { resolve } = createRequire(import.meta.url);

interface FontFile {
  readonly name: string;
  readonly weight: number;
  readonly range: string;
  readonly format: 'woff2' | 'truetype';
  read(): Buffer;
}

export const FONT_FILES: readonly FontFile[] = WEIGHTS.flatMap((weight): FontFile[] => [
  {
    name: `mukta-latin-${weight}.woff2`,
    weight,
    range: LATIN,
    format: 'woff2',
    read: () => mukta(`latin-${weight}-normal.woff2`),
  },
  {
    // Mukta's file with ₹ has 15 KB; data/cut-rupee.ts cut it out.
    name: `mukta-rupee-${weight}.ttf`,
    weight,
    range: RUPEE,
    format: 'truetype',
    read: () => readFileSync(join(OWN_FONTS, `mukta-rupee-${weight}.ttf`)),
  },
]);

function mukta(file: string): Buffer {
  return readFileSync(resolve(`@fontsource/mukta/files/mukta-${file}`));
}

export function fontFaces(urlOf: (name: string) => string): string {
  return FONT_FILES.map(
    ({ name, weight, range, format }) =>
      `@font-face{font-family:Mukta;font-style:normal;font-display:swap;font-weight:${weight};` +
      `src:url("${urlOf(name)}") format("${format}");unicode-range:${range}}\n`,
  ).join('');
}
