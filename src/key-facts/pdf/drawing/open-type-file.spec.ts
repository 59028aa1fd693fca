import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { openTypeFile } from './open-type-file.js';

const path = createRequire(import.meta.url).resolve(
  '@fontsource/mukta/files/mukta-latin-400-normal.woff',
);
const woff = readFileSync(path);

function checksumOf(table: Buffer): number {
  const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) % 2 ** 32;
  return sum;
}

describe('openTypeFile', () => {
  const font = openTypeFile(woff);

  it('is as long as the WOFF file says, and has every table where its directory says, under its own checksum', () => {
    expect(font).toHaveLength(woff.readUInt32BE(16));
    const tags = Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
      const entry = 12 + index * 16;
      const tag = font.toString('latin1', entry, entry + 4);
      const [checksum, offset, length] = [4, 8, 12].map((at) => font.readUInt32BE(entry + at));
      const table = Buffer.from(font.subarray(offset, offset + length));
      // The checksum of `head` excludes its whole-file adjustment.
      if (tag === 'head') table.writeUInt32BE(0, 8);
      expect([tag, checksumOf(table)]).toEqual([tag, checksum]);
      return tag;
    });
    expect(tags).toEqual(expect.arrayContaining(['cmap', 'glyf', 'head', 'hmtx', 'loca']));
  });

  it('refuses what is no WOFF file, and one that is cut short', () => {
    expect(() => openTypeFile(font)).toThrow('not a WOFF file');
    expect(() => openTypeFile(woff.subarray(0, 600))).toThrow(/unexpected end|out of range/);
  });
});
