import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type GivenLogo, PARTNER_LOGO_LIMITS } from '../../auth/index.js';
import { pictureOf } from './picture.js';

const { bytes: MAX_BYTES, pixels: MAX_PIXELS, ratio: MAX_RATIO } = PARTNER_LOGO_LIMITS;

const FORM_MESSAGE = `must be a PNG, WebP or JPEG that does not move, of at most ${MAX_BYTES / 1024} KB and ${MAX_PIXELS} pixels a side, at most ${MAX_RATIO} times as wide as high or as high as wide`;

/** A picture as it is kept. */
export type LogoImage = Omit<GivenLogo, 'partnerId'>;

/** A partner's logo, or what is wrong with it. */
export type ReadPartnerLogo = { readonly logo: LogoImage } | { readonly problem: string };

/**
 * Reads a partner's logo: a picture by its own bytes, whatever its name says. Drawings (SVG) are refused: they are
 * documents, and a partner's hand is not the operator's.
 * @param path as the configuration file names it: relative to the file's folder
 */
export function readPartnerLogo(configurationFile: string, path: string): ReadPartnerLogo {
  let bytes: Buffer;
  try {
    bytes = readFileSync(resolve(dirname(configurationFile), path));
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
  const picture = bytes.length <= MAX_BYTES ? pictureOf(bytes) : null;
  if (!picture || !isOfSize(picture)) return { problem: FORM_MESSAGE };
  const { type: contentType, width, height } = picture;
  return { logo: { contentType, width, height, bytes } };
}

function isOfSize({ width, height }: { width: number; height: number }): boolean {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return short > 0 && long <= MAX_PIXELS && long <= short * MAX_RATIO;
}
