import { contrast, hexOf, type Oklch, oklchOf } from './colour.js';

/** What is made of the operator's accent colour for one colour scheme; each is `#rrggbb`. */
export interface AccentShades {
  /** Of what is pressed. */
  readonly accent: string;
  readonly 'accent-hover': string;
  /** Text on `accent` and on `accent-hover`: readable on both. */
  readonly 'on-accent': string;
  /** Links and marks: readable on every surface of the scheme, `accent-soft` included. */
  readonly 'accent-text': string;
  /** A tint behind text. */
  readonly 'accent-soft': string;
  /** A quiet line. */
  readonly 'accent-line': string;
}

/** What accent-coloured text is on: `--surface`, `--page` and `--sunken` of the design's tokens. */
export const SURFACES = {
  light: ['#ffffff', '#f3f5f8'],
  dark: ['#182029', '#0f151b', '#121920'],
} as const;

/** WCAG 2.2 AA asks 4.5 of text; a little more survives a bad screen in the sun. */
const READABLE = 4.8;
const DARK_INK = '#0b1117';
const WHITE = '#ffffff';
const STEP = 0.01;
const HOVER = 0.05;

/** Shades that keep the hue of the operator's colour and are readable, whatever the colour. */
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
  /** Where text becomes more readable: darker (-1) or lighter (1). */
  readonly direction: -1 | 1;
}

function shades(base: Oklch, { surfaces, soft, line, direction }: SchemeTerms): AccentShades {
  const softHex = hexOf(soft);
  const ink = contrast(hexOf(base), WHITE) >= contrast(hexOf(base), DARK_INK) ? WHITE : DARK_INK;
  // The pressed colour goes away from its ink, so that its hover shade is readable, too.
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
