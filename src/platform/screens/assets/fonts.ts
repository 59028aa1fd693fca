/** Mukta, for text in English; two weights are all that the screens use. */
const WEIGHTS = [400, 600] as const;

/**
 * Which characters it is fetched for: those of English. Other scripts, and the rupee sign, are in the
 * system's own font, which every phone sold in India has: Devanagari alone would be 200 KB.
 */
const RANGE =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-200B,U+200E-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215';

interface FontFile {
  readonly name: string;
  /** The file of the package. */
  readonly from: string;
  readonly weight: number;
}

export const FONT_FILES: readonly FontFile[] = WEIGHTS.map((weight) => ({
  name: `mukta-latin-${weight}.woff2`,
  from: `@fontsource/mukta/files/mukta-latin-${weight}-normal.woff2`,
  weight,
}));

/** The `@font-face` rules; text stands in the system's font until the file is there. */
export function fontFaces(urlOf: (name: string) => string): string {
  return FONT_FILES.map(
    ({ name, weight }) =>
      `@font-face{font-family:Mukta;font-style:normal;font-display:swap;font-weight:${weight};` +
      `src:url("${urlOf(name)}") format("woff2");unicode-range:${RANGE}}\n`,
  ).join('');
}
