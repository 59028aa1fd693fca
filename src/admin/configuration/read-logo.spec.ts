import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectPath } from '../../platform/index.js';
import { PARTNER_LOGO_LIMITS as LIMITS, readLogo } from './read-logo.js';

const SHIPPED = readFileSync(projectPath('config/rinpath-logo.png'));

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rinpath-logo-'));
  file = join(folder, 'configuration.yaml');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(content: Buffer | string) {
  writeFileSync(join(folder, 'logo'), content);
  return readLogo(file, 'logo', LIMITS);
}

function part(kind: string, content: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  const named = Buffer.concat([Buffer.from(kind), content]);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** A black PNG with extra chunks between header and pixels. */
function png(width: number, height: number, ...more: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc(Math.min((width + 1) * height, 1 << 22));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    part('IHDR', header),
    ...more,
    part('IDAT', deflateSync(rows)),
    part('IEND', Buffer.alloc(0)),
  ]);
}

describe('a logo', () => {
  it.each([
    ['rinpath-logo.png', 256],
    ['demonstration-partner.png', 64],
  ])('is the picture beside config/sandbox.yaml (%s), pixel for pixel', (name, side) => {
    const found = readLogo(projectPath('config/sandbox.yaml'), name, LIMITS);
    expect(found).toMatchObject({ logo: { width: side, height: side } });
    const { bytes } = (found as { logo: { bytes: Buffer } }).logo;
    const pixels = (of: Buffer) => PNG.sync.read(of).data;
    expect(pixels(bytes)).toEqual(pixels(readFileSync(projectPath(`config/${name}`))));
  });

  it('is drawn again: nothing stays of a file but its pixels', () => {
    const script = Buffer.from('<script>alert(1)</script>');
    const more = [part('tEXt', script), part('acTL', Buffer.alloc(8)), part('scRi', script)];
    expect(read(png(60, 20, ...more))).toEqual(read(png(60, 20)));
  });

  it.each<[string, Buffer | string]>([
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'],
    ['nothing', ''],
    ['a header alone', png(60, 20).subarray(0, 33)],
    ['a PNG that is cut off', png(60, 20).subarray(0, -20)],
    ['something behind its end', Buffer.concat([png(60, 20), Buffer.from('<script>')])],
    ['a wrong checksum', Buffer.from(png(60, 20)).fill(0, 29, 33)],
    ['a PNG of no width', png(0, 20)],
    ['more than 16 KB', png(60, 20, part('tEXt', Buffer.alloc(16 * 1024)))],
    ['4,000,000,000 pixels a side', png(4_000_000_000, 4_000_000_000)],
    ['more than 1,024 pixels a side', png(1_025, 1_025)],
    ['more than six times as wide as high', png(121, 20)],
    ['fewer pixels than its header says', png(60, 20).fill(0xff, 16, 17)],
  ])('is refused with %s', (_, content) => {
    expect(read(content)).toEqual({
      problem: expect.stringMatching(/^must be a PNG of at most 16 KB/),
    });
  });

  it('is refused or drawn again within its limits, whatever is done to a file', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.uint8Array({ maxLength: 12 }),
        fc.nat({ max: 12 }),
        (at, put, cut) => {
          const place = at % SHIPPED.length;
          const { logo } = read(
            Buffer.concat([SHIPPED.subarray(0, place), put, SHIPPED.subarray(place + cut)]),
          ) as { logo?: { width: number; height: number; bytes: Buffer } };
          if (!logo) return;
          expect(logo.bytes.length).toBeLessThanOrEqual(LIMITS.bytes);
          expect(PNG.sync.read(logo.bytes)).toMatchObject({
            width: logo.width,
            height: logo.height,
          });
        },
      ),
      { numRuns: 100 },
    );
  });
});
