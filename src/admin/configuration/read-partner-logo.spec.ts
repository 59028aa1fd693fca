import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectPath } from '../../platform/index.js';
import { readPartnerLogo } from './read-partner-logo.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rinpath-partner-logo-'));
  file = join(folder, 'configuration.yaml');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(content: Buffer | string) {
  writeFileSync(join(folder, 'logo'), content);
  return readPartnerLogo(file, 'logo');
}

function part(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(kind), content, Buffer.alloc(4)]);
}

function png(width: number, height: number, ...more: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  const end = part('IEND', Buffer.alloc(0));
  return Buffer.concat([start, part('IHDR', header), ...more, end]);
}

function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0000b080000000001011100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const [start, comment, end] = ['ffd8', 'fffe00046869', 'ffd9'].map((hex) =>
    Buffer.from(hex, 'hex'),
  );
  return Buffer.concat([start, comment, frame, end]);
}

function webp(kind: string, content: Buffer): Buffer {
  const whole = Buffer.alloc(20);
  whole.write('RIFF', 0);
  whole.writeUInt32LE(12 + content.length, 4);
  whole.write(`WEBP${kind}`, 8);
  whole.writeUInt32LE(content.length, 16);
  return Buffer.concat([whole, content]);
}

const LOSSY = Buffer.from('0000009d012a3c0014000000', 'hex');
const LOSSLESS = Buffer.from('2f3bc0040000000000000000', 'hex');
const EXTENDED = Buffer.from('000000003b000013000000', 'hex');
const MOVING = Buffer.from('020000003b000013000000', 'hex');

describe('a partner’s logo', () => {
  it('is the picture beside config/sandbox.yaml, byte for byte', () => {
    const found = readPartnerLogo(projectPath('config/sandbox.yaml'), 'demonstration-partner.png');
    const bytes = readFileSync(projectPath('config/demonstration-partner.png'));
    expect(found).toEqual({ logo: { contentType: 'image/png', width: 64, height: 64, bytes } });
  });

  it.each([
    ['PNG', png(60, 20), 'image/png'],
    ['JPEG', jpeg(60, 20), 'image/jpeg'],
    ['lossy WebP', webp('VP8 ', LOSSY), 'image/webp'],
    ['lossless WebP', webp('VP8L', LOSSLESS), 'image/webp'],
    ['extended WebP', webp('VP8X', EXTENDED), 'image/webp'],
  ])('may be a %s, and its size is known', (_, bytes, contentType) => {
    expect(read(bytes)).toEqual({ logo: { contentType, width: 60, height: 20, bytes } });
  });

  it.each<[string, Buffer | string]>([
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>'],
    ['a GIF', 'GIF89a'],
    ['a page', '<!doctype html><title>PNG</title>'],
    ['nothing', ''],
    ['a PNG that goes on after its end', Buffer.concat([png(60, 20), Buffer.from('<script>')])],
    ['a PNG that is cut off', png(60, 20).subarray(0, -4)],
    ['a PNG that moves', png(60, 20, part('acTL', Buffer.alloc(8)))],
    ['a PNG of no width', png(0, 20)],
    ['a PNG with two sizes', png(60, 20, part('IHDR', Buffer.alloc(13)))],
    ['a JPEG that goes on after its end', Buffer.concat([jpeg(60, 20), Buffer.from('x')])],
    ['a JPEG without a size', Buffer.from('ffd8ffda0004ffd9', 'hex')],
    [
      'a WebP that goes on after its end',
      Buffer.concat([webp('VP8X', EXTENDED), Buffer.from('x')]),
    ],
    ['a WebP that moves', webp('VP8X', MOVING)],
    ['more than 16 KB', png(60, 20, part('IDAT', Buffer.alloc(16 * 1024)))],
    ['more than 1,024 pixels a side', png(1_025, 1_025)],
    ['more than six times as wide as high', png(121, 20)],
  ])('is refused with %s', (_, content) => {
    expect(read(content)).toEqual({
      problem: expect.stringMatching(
        /^must be a PNG, WebP or JPEG that does not move, of at most 16 KB/,
      ),
    });
  });

  it('is refused when it is not there', () => {
    expect(readPartnerLogo(file, 'nowhere.png')).toEqual({ problem: 'cannot be read (ENOENT)' });
  });
});
