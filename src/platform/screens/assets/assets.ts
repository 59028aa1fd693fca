import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sha256 } from '../../crypto/keyring.js';
import { projectPath } from '../../database/data-source.js';

const WEIGHTS = [400, 600] as const;

/** English only: every phone sold in India has a Devanagari font; ours would be 200 KB. */
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

const FONT_FILES: readonly FontFile[] = WEIGHTS.flatMap((weight): FontFile[] => [
  {
    name: `mukta-latin-${weight}.woff2`,
    weight,
    range: LATIN,
    format: 'woff2',
    read: () => mukta(`latin-${weight}-normal.woff2`),
  },
  {
    // Mukta's ₹ file has 15 KB; data/cut-rupee.ts extracted the sign.
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

function fontFaces(urlOf: (name: string) => string): string {
  return FONT_FILES.map(
    ({ name, weight, range, format }) =>
      `@font-face{font-family:Mukta;font-style:normal;font-display:swap;font-weight:${weight};` +
      `src:url("${urlOf(name)}") format("${format}");unicode-range:${range}}\n`,
  ).join('');
}

type Encoding = 'br' | 'gzip' | 'identity';

export interface Asset {
  readonly contentType: string;
  /** A hash in the address, for caching without expiry. */
  readonly version: string;
  readonly bytes: Buffer;
  /** Compressed once, at the first request. */
  encoded(encoding: Encoding): Promise<Buffer>;
}

const VERSION_CHARACTERS = 12;
const BROTLI_QUALITY = 9;
/** Every file of `views/screens/design`, in order. */
const SHEET = 'screens.css';
const TOOLS_SHEET = 'tools.css';
const FOLDER = projectPath('views/screens');
const DESIGN = join(FOLDER, 'design');
const TOKENS = '1-tokens.css';

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/speculationrules+json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

@Injectable()
export class Assets {
  private readonly assets = new Map<string, Asset>();

  constructor() {
    for (const font of FONT_FILES) this.add(font.name, font.read());
    this.add(SHEET, Buffer.from(this.sheet(filesOf('design'))));
    this.add(TOOLS_SHEET, Buffer.from(this.sheet([join(DESIGN, TOKENS), ...filesOf('tools')])));
    for (const { name } of readdirSync(FOLDER, { withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )) {
      this.add(name, readFileSync(join(FOLDER, name)));
    }
  }

  find(file: string): Asset | undefined {
    return this.assets.get(file);
  }

  urlOf(file: string): string {
    const asset = this.assets.get(file);
    if (!asset) throw new Error(`no asset ${file} in views/screens`);
    return `/assets/${file}?v=${asset.version}`;
  }

  private sheet(files: readonly string[]): string {
    const parts = files.map((file) => readFileSync(file, 'utf8'));
    return [fontFaces((file) => this.urlOf(file)), ...parts].join('');
  }

  private add(name: string, bytes: Buffer): void {
    const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
    this.assets.set(name, keptAsset(contentType, bytes));
  }
}

function filesOf(folder: string): string[] {
  const path = join(FOLDER, folder);
  return readdirSync(path)
    .toSorted()
    .map((file) => join(path, file));
}

export function keptAsset(contentType: string, bytes: Buffer): Asset {
  const encoded = new Map<Encoding, Promise<Buffer>>();
  return {
    contentType,
    version: sha256(bytes).slice(0, VERSION_CHARACTERS),
    bytes,
    encoded: (encoding) => {
      const kept = encoded.get(encoding) ?? encode(bytes, encoding);
      encoded.set(encoding, kept);
      return kept;
    },
  };
}

function encode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes);
  if (encoding === 'identity') return Promise.resolve(bytes);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    // The default window of 4 MB makes compressing a page fifty times slower.
    [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes.length),
  };
  return promisify(brotliCompress)(bytes, { params });
}

/** The base-2 logarithm of the smallest sufficient window. */
function windowBits(bytes: number): number {
  const { BROTLI_MIN_WINDOW_BITS: least, BROTLI_MAX_WINDOW_BITS: most } = constants;
  return Math.min(most, Math.max(least, Math.ceil(Math.log2(bytes + 1)) + 1));
}

const FOR_EVER = 'public, max-age=31536000, immutable';
// A page of an adjacent release requests another version.
const CACHE_ONE_MINUTE = 'public, max-age=60';
const TEXT = /^text\/|svg|json|yaml/;

/** The strong ETag prevents repeated downloads. */
export async function sendAsset(request: Request, response: Response, asset: Asset): Promise<void> {
  const isText = TEXT.test(asset.contentType);
  const encoding = isText ? encodingOf(request) : 'identity';
  const isNamed = request.query.v === asset.version;
  response.setHeader('Cache-Control', isNamed ? FOR_EVER : CACHE_ONE_MINUTE);
  response.setHeader('Content-Type', asset.contentType);
  response.setHeader('ETag', `"${asset.version}.${encoding}"`);
  if (isText) response.setHeader('Vary', 'Accept-Encoding');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.send(await asset.encoded(encoding));
}

function encodingOf(request: Request): Encoding {
  // Separately: browsers list gzip first, but brotli is smaller.
  if (request.acceptsEncodings('br') === 'br') return 'br';
  return request.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : 'identity';
}
