/** Lightness 0 to 1, chroma, hue in degrees; perceptually even. */
interface Oklch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

type Triple = readonly [number, number, number];

const CHROMA_STEP = 0.004;
const ROUNDING = 1e-4;

/** @param hex `#rrggbb` */
function oklchOf(hex: string): Oklch {
  const [r, g, b] = linearOf(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { l: lightness, c: Math.hypot(a, bb), h: (Math.atan2(bb, a) * 180) / Math.PI };
}

/** Reduces chroma until the colour is in sRGB. */
function hexOf(colour: Oklch): string {
  let { c } = colour;
  let rgb = linearRgb({ ...colour, c });
  while (c > 0 && rgb.some((part) => part < -ROUNDING || part > 1 + ROUNDING)) {
    c = Math.max(0, c - CHROMA_STEP);
    rgb = linearRgb({ ...colour, c });
  }
  return `#${rgb.map((part) => byteOf(part).toString(16).padStart(2, '0')).join('')}`;
}

/** 1 to 21 (WCAG 2.2). */
export function contrast(left: string, right: string): number {
  const [low, high] = [luminance(left), luminance(right)].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function linearOf(hex: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function linearRgb({ l, c, h }: Oklch): Triple {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
}

function byteOf(linear: number): number {
  const part = Math.min(1, Math.max(0, linear));
  const value = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
  return Math.round(value * 255);
}

export interface AccentShades {
  readonly accent: string;
  readonly 'accent-hover': string;
  /** Text on `accent` and `accent-hover`. */
  readonly 'on-accent': string;
  /** Links and marks, readable on every surface and on `accent-soft`. */
  readonly 'accent-text': string;
  /** Behind text. */
  readonly 'accent-soft': string;
  readonly 'accent-line': string;
}

/** `--surface`, `--page` and `--sunken` of the design tokens. */
export const SURFACES = {
  light: ['#ffffff', '#f3f5f8'],
  dark: ['#182029', '#0f151b', '#121920'],
} as const;

/** WCAG 2.2 AA requires 4.5; the margin is for sunlight. */
const READABLE = 4.8;
const DARK_INK = '#0b1117';
const WHITE = '#ffffff';
const STEP = 0.01;
const HOVER = 0.05;

/** Keeps the hue; readable for any colour. */
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
  /** Darker (-1) or lighter (1). */
  readonly direction: -1 | 1;
}

function shades(base: Oklch, { surfaces, soft, line, direction }: SchemeTerms): AccentShades {
  const softHex = hexOf(soft);
  const ink = contrast(hexOf(base), WHITE) >= contrast(hexOf(base), DARK_INK) ? WHITE : DARK_INK;
  // Away from the text colour, so that the hover shade stays readable.
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
