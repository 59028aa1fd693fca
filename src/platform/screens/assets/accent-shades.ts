import { contrast, hexOf, type Oklch, oklchOf } from './colour.js';

/** Shades for one colour scheme, as `#rrggbb`. */
export interface AccentShades {
  /** Buttons. */
  readonly accent: string;
  readonly 'accent-hover': string;
  /** Text on `accent` and `accent-hover`. */
  readonly 'on-accent': string;
  /** Links and marks, readable on every surface, `accent-soft` included. */
  readonly 'accent-text': string;
  /** Behind text. */
  readonly 'accent-soft': string;
  readonly 'accent-line': string;
}

/** `--surface`, `--page` and `--sunken` of the design's tokens. */
export const SURFACES = {
  light: ['#ffffff', '#f3f5f8'],
  dark: ['#182029', '#0f151b', '#121920'],
} as const;

/** WCAG 2.2 AA requires 4.5; a margin for poor screens in the sun. */
const READABLE = 4.8;
const DARK_INK = '#0b1117';
const WHITE = '#ffffff';
const STEP = 0.01;
const HOVER = 0.05;

/** Keeps the hue, and is readable for any colour. */
export function accentShades(accentColour: string): { light: AccentShades; dark: AccentShades } {
  const base = oklchOf(accentColour);
  return {
    light: shades(base, {
      surfaces: SURFACES.light,
      soft: { ...base, l: 0.965, c: Math.min(base.c, 0.018) },
      line: { ...base, l: 0.86, c: Math.min(base.c, 0.05) },
      direction: -1,
    }),
    dark: shades(
      { ...base, l: Math.max(base.l, 0.7), c: Math.min(base.c, 0.13) },
      {
        surfaces: SURFACES.dark,
        soft: { ...base, l: 0.29, c: Math.min(base.c, 0.035) },
        line: { ...base, l: 0.42, c: Math.min(base.c, 0.06) },
        direction: 1,
      },
    ),
  };
}

interface SchemeTerms {
  readonly surfaces: readonly string[];
  readonly soft: Oklch;
  readonly line: Oklch;
  /** Towards readable text: darker (-1) or lighter (1). */
  readonly direction: -1 | 1;
}

function shades(base: Oklch, { surfaces, soft, line, direction }: SchemeTerms): AccentShades {
  const softHex = hexOf(soft);
  const ink = contrast(hexOf(base), WHITE) >= contrast(hexOf(base), DARK_INK) ? WHITE : DARK_INK;
  // Away from the text's colour, so that the hover shade is readable too.
  const away = ink === WHITE ? -1 : 1;
  const accent = moved(base, away, (hex) => contrast(hex, ink) >= READABLE);
  return {
    accent: hexOf(accent),
    'accent-hover': hexOf({ ...accent, l: within(accent.l + away * HOVER) }),
    'on-accent': ink,
    'accent-text': hexOf(
      moved(base, direction, (hex) =>
        [...surfaces, softHex].every((surface) => contrast(hex, surface) >= READABLE),
      ),
    ),
    'accent-soft': softHex,
    'accent-line': hexOf(line),
  };
}

function moved(from: Oklch, direction: -1 | 1, isGood: (hex: string) => boolean): Oklch {
  let at = from;
  while (!isGood(hexOf(at)) && at.l > 0 && at.l < 1) {
    at = { ...at, l: within(at.l + direction * STEP) };
  }
  return at;
}

function within(lightness: number): number {
  return Math.min(1, Math.max(0, lightness));
}
