export type FontPart = 'latin' | 'latin-ext' | 'devanagari';

interface FontRun {
  readonly part: FontPart;
  readonly text: string;
}

const LAST_LATIN_1 = 0xff;
const RUPEE_SIGN = 0x20b9;

/** Devanagari letters, marks and joiners. */
const DEVANAGARI = [
  [0x0900, 0x097f],
  [0x1cd0, 0x1cf9],
  [0x200c, 0x200d],
  [0xa8e0, 0xa8ff],
] as const;

/** Quotation marks, dashes, the minus sign. */
const LATIN_SIGNS = [
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2212, 0x2212],
] as const;

export function fontRuns(text: string): FontRun[] {
  const runs: { part: FontPart; text: string }[] = [];
  for (const character of text) {
    const part = partOf(character.codePointAt(0) ?? 0);
    const last = runs.at(-1);
    if (last?.part === part) last.text += character;
    else runs.push({ part, text: character });
  }
  return runs;
}

export function hasDevanagari(text: string): boolean {
  return fontRuns(text).some(({ part, text: run }) => part === 'devanagari' && run !== '₹');
}

function partOf(codePoint: number): FontPart {
  if (codePoint === RUPEE_SIGN || isWithin(codePoint, DEVANAGARI)) return 'devanagari';
  if (codePoint <= LAST_LATIN_1 || isWithin(codePoint, LATIN_SIGNS)) return 'latin';
  return 'latin-ext';
}

function isWithin(codePoint: number, ranges: readonly (readonly [number, number])[]): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}
