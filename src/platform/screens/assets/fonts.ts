/** Mukta, one family for Latin and Devanagari; two weights are all that the screens use. */
const WEIGHTS = [400, 600] as const;

/**
 * Which characters each file is fetched for. The rupee sign stands in two of the package's files;
 * here only in the small one, so that an English page never fetches Devanagari.
 */
const SCRIPTS = [
  {
    script: 'devanagari',
    range:
      'U+0900-097F,U+1CD0-1CF9,U+200C-200D,U+20A8,U+20F0,U+25CC,U+A830-A839,U+A8E0-A8FF,U+11B00-11B09',
  },
  {
    script: 'latin-ext',
    range:
      'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+20A0-20AB,U+20AD-20C0,U+2113',
  },
  {
    script: 'latin',
    range:
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-200B,U+200E-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215',
  },
] as const;

interface FontFile {
  readonly name: string;
  /** The file of the package. */
  readonly from: string;
  readonly weight: number;
  readonly range: string;
}

export const FONT_FILES: readonly FontFile[] = WEIGHTS.flatMap((weight) =>
  SCRIPTS.map(({ script, range }) => ({
    name: `mukta-${script}-${weight}.woff2`,
    from: `@fontsource/mukta/files/mukta-${script}-${weight}-normal.woff2`,
    weight,
    range,
  })),
);

/** The `@font-face` rules; text stands in the system's font until the file is there. */
export function fontFaces(urlOf: (name: string) => string): string {
  return FONT_FILES.map(
    ({ name, weight, range }) =>
      `@font-face{font-family:Mukta;font-style:normal;font-display:swap;font-weight:${weight};` +
      `src:url("${urlOf(name)}") format("woff2");unicode-range:${range}}\n`,
  ).join('');
}
