import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PNG } from 'pngjs';
import { z } from 'zod';
import { text } from './fields.js';

const PNG_HEADER_BYTES = 24;
const WIDTH_AT = 16;
const HEIGHT_AT = 20;

/** Bytes, pixels a side, and longer to shorter side. */
interface LogoLimits {
  readonly bytes: number;
  readonly pixels: number;
  readonly ratio: number;
}

export const BRAND_LOGO_LIMITS: LogoLimits = { bytes: 65_536, pixels: 2_048, ratio: 10 };
/** The database has the same limit. */
export const LENDER_LOGO_LIMITS: LogoLimits = { bytes: 65_536, pixels: 1_024, ratio: 6 };
export const PARTNER_LOGO_LIMITS: LogoLimits = { bytes: 16_384, pixels: 1_024, ratio: 6 };

/** Re-encoded from its pixels: nothing else of the file is kept. */
interface LogoImage {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

const RELATIVE = '; the path is relative to the folder of the configuration file';

type ReadLogo = { readonly logo: LogoImage } | { readonly problem: string };

export const logo = (configurationFile: string, limits: LogoLimits) =>
  text().transform((path, context): LogoImage => {
    const read = readLogo(configurationFile, path, limits);
    if ('logo' in read) return read.logo;
    context.addIssue(read.problem);
    return z.NEVER;
  });

/** @param path relative to the configuration file's folder */
export function readLogo(configurationFile: string, path: string, limits: LogoLimits): ReadLogo {
  const file = resolve(dirname(configurationFile), path);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { problem: `cannot be read (${code}): ${file}${RELATIVE}` };
  }
  const drawn = drawnAnew(bytes, limits);
  return drawn ? { logo: drawn } : { problem: `${formMessage(limits)}: ${file}` };
}

function drawnAnew(given: Buffer, limits: LogoLimits): LogoImage | null {
  if (given.length > limits.bytes || !isOfSize(given, limits)) return null;
  try {
    const { width, height, data } = PNG.sync.read(given);
    const drawn = new PNG({ width, height });
    data.copy(drawn.data);
    const bytes = PNG.sync.write(drawn, { deflateLevel: 9 });
    if (bytes.length > limits.bytes) return null;
    return { width, height, bytes };
  } catch {
    return null;
  }
}

/** By the header, without decoding a large image. */
function isOfSize(bytes: Buffer, { pixels, ratio }: LogoLimits): boolean {
  if (bytes.length < PNG_HEADER_BYTES) return false;
  const sides = [bytes.readUInt32BE(WIDTH_AT), bytes.readUInt32BE(HEIGHT_AT)];
  const [short, long] = [Math.min(...sides), Math.max(...sides)];
  return short > 0 && long <= pixels && long <= short * ratio;
}

function formMessage({ bytes, pixels, ratio }: LogoLimits): string {
  return (
    `must be a PNG of at most ${bytes / 1024} KB (also after recompression) and ${pixels} pixels a side, ` +
    `with sides in a ratio of at most ${ratio}:1`
  );
}
