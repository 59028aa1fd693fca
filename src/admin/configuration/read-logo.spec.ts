import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectPath } from '../../platform/index.js';
import { readLogo } from './read-logo.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rinpath-logo-'));
  file = join(folder, 'configuration.yaml');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(content: string | Buffer) {
  writeFileSync(join(folder, 'logo'), content);
  return readLogo(file, 'logo');
}

function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(24);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
}

describe('a logo', () => {
  it('is the drawing beside config/sandbox.yaml', () => {
    const found = readLogo(projectPath('config/sandbox.yaml'), 'rinpath-logo.svg');
    expect(found).toMatchObject({ logo: { contentType: 'image/svg+xml', aspectRatio: 1 } });
  });

  it('keeps a drawing’s bytes and knows its shape', () => {
    const svg = '<?xml version="1.0"?><svg xmlns="x" viewBox="0 0 120 40"><path d="M0 0"/></svg>';
    expect(read(svg)).toEqual({
      logo: {
        contentType: 'image/svg+xml',
        base64: Buffer.from(svg).toString('base64'),
        aspectRatio: 3,
      },
    });
  });

  it('may be a PNG', () => {
    expect(read(png(300, 100))).toMatchObject({
      logo: { contentType: 'image/png', aspectRatio: 3 },
    });
  });

  it.each([
    ['a script', '<svg viewBox="0 0 1 1"><script>alert(1)</script></svg>'],
    ['an event handler', '<svg viewBox="0 0 1 1" onload="alert(1)"></svg>'],
    ['a page inside', '<svg viewBox="0 0 1 1"><foreignObject/></svg>'],
    ['entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1">&a;</svg>'],
    ['no viewBox', '<svg width="1" height="1"></svg>'],
    ['a viewBox of no size', '<svg viewBox="0 0 0 10"></svg>'],
    ['another format', 'GIF89a'],
    ['nothing', ''],
    ['a PNG of no width', png(0, 10)],
    ['more than 64 KB', `<svg viewBox="0 0 1 1">${' '.repeat(64 * 1024)}</svg>`],
  ])('is refused with %s', (_, content) => {
    expect(read(content)).toEqual({ problem: expect.stringMatching(/^must be an SVG/) });
  });

  it('is refused when it is not there', () => {
    expect(readLogo(file, 'nowhere.svg')).toEqual({ problem: 'cannot be read (ENOENT)' });
  });
});
