import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { BrandLogo } from '../../platform/index.js';

const MAX_BYTES = 64 * 1024;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;
const PNG_HEADER_BYTES = 24;
/** What a drawing has no need of: entities, scripts, event handlers, pages inside the drawing. */
const NOT_A_DRAWING = /<!doctype|<!entity|<script|<foreignobject|<iframe|\son[a-z]+\s*=/i;

const FORM_MESSAGE = 'must be an SVG with a viewBox, without scripts, or a PNG, of at most 64 KB';

/** A logo, or what is wrong with it. */
export type ReadLogo = { readonly logo: BrandLogo } | { readonly problem: string };

/**
 * Reads the operator's logo. It is looked into no further than its form and size; the screens show
 * it as a picture, under a policy that lets no script run.
 * @param path as the configuration file names it: relative to the file's folder
 */
export function readLogo(configurationFile: string, path: string): ReadLogo {
  let bytes: Buffer;
  try {
    bytes = readFileSync(resolve(dirname(configurationFile), path));
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
  const logo = bytes.length <= MAX_BYTES ? (pngLogo(bytes) ?? svgLogo(bytes)) : null;
  return logo ? { logo } : { problem: FORM_MESSAGE };
}

function pngLogo(bytes: Buffer): BrandLogo | null {
  if (bytes.length < PNG_HEADER_BYTES) return null;
  if (!bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return null;
  const width = bytes.readUInt32BE(PNG_WIDTH_AT);
  const height = bytes.readUInt32BE(PNG_HEIGHT_AT);
  if (width === 0 || height === 0) return null;
  return {
    contentType: 'image/png',
    base64: bytes.toString('base64'),
    aspectRatio: ratio(width, height),
  };
}

function svgLogo(bytes: Buffer): BrandLogo | null {
  const text = bytes.toString('utf8');
  const [root] = /<svg\b[^>]*>/i.exec(text) ?? [];
  if (root === undefined || NOT_A_DRAWING.test(text)) return null;
  const box = /\bviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/i.exec(root);
  const [width, height] = [Number(box?.[1]), Number(box?.[2])];
  if (!(width > 0 && height > 0)) return null;
  return {
    contentType: 'image/svg+xml',
    base64: bytes.toString('base64'),
    aspectRatio: ratio(width, height),
  };
}

function ratio(width: number, height: number): number {
  return Math.round((width / height) * 1000) / 1000;
}
