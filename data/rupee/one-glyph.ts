import { fontOf, type FontTable } from '../../src/key-facts/pdf/drawing/open-type-file.ts';

const FLAVOUR = 0x00010000;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;
const CMAP_WINDOWS_BMP = 3;
const POST_WITHOUT_NAMES = 0x00030000;
/** `.notdef`, which a font must have, and the character. */
const GLYPHS = 2;

/**
 * The TrueType font of one character, cut out of a larger one: a browser that needs only ₹ does not load a
 * whole file of rarely used letters. Hinting is left out.
 * @throws Error when the font does not have the character as a single outline
 */
export function oneGlyph(font: Buffer, character: string): Buffer {
  const table = (tag: string) => tableOf(font, tag);
  const glyph = glyphOf(table('cmap'), character.charCodeAt(0));
  const outline = outlineOf(table('loca'), table('glyf'), table('head').readInt16BE(50), glyph);
  const parts: Record<string, Buffer> = {
    'OS/2': table('OS/2'),
    cmap: cmapOf(character.charCodeAt(0)),
    glyf: outline,
    head: patched(table('head'), (head) => head.writeInt16BE(1, 50)),
    hhea: patched(table('hhea'), (hhea) => hhea.writeUInt16BE(GLYPHS, 34)),
    hmtx: metricsOf(table('hhea'), table('hmtx'), glyph),
    loca: words(4, [0, 0, outline.length]),
    maxp: patched(table('maxp'), (maxp) => maxp.writeUInt16BE(GLYPHS, 4)),
    name: table('name'),
    post: patched(table('post').subarray(0, 32), (post) =>
      post.writeUInt32BE(POST_WITHOUT_NAMES, 0),
    ),
  };
  return fontOf(
    FLAVOUR,
    Object.entries(parts).map(([tag, bytes]) => fontTable(tag, bytes)),
  );
}

function tableOf(font: Buffer, wanted: string): Buffer {
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const entry = SFNT_HEADER + index * SFNT_ENTRY;
    if (font.toString('latin1', entry, entry + 4) !== wanted) continue;
    const offset = font.readUInt32BE(entry + 8);
    return font.subarray(offset, offset + font.readUInt32BE(entry + 12));
  }
  throw new Error(`the font has no table ${wanted}`);
}

/** The glyph of a character, by the font's table of format 4. */
function glyphOf(cmap: Buffer, code: number): number {
  const subtable = cmap.subarray(windowsSubtable(cmap));
  const segments = subtable.readUInt16BE(6) / 2;
  const [ends, starts, deltas, offsets] = [14, 16, 16, 16].map(
    (at, row) => at + row * segments * 2,
  );
  for (let segment = 0; segment < segments; segment++) {
    const at = segment * 2;
    const start = subtable.readUInt16BE(starts + at);
    if (code > subtable.readUInt16BE(ends + at)) continue;
    if (code < start) break;
    const delta = subtable.readUInt16BE(deltas + at);
    const offset = subtable.readUInt16BE(offsets + at);
    const inArray = offset && subtable.readUInt16BE(offsets + at + offset + (code - start) * 2);
    return ((offset ? inArray : code) + delta) % 0x10000;
  }
  throw new Error('the font does not have the character');
}

function windowsSubtable(cmap: Buffer): number {
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const entry = 4 + index * 8;
    const offset = cmap.readUInt32BE(entry + 4);
    const isBmp = cmap.readUInt16BE(entry) === CMAP_WINDOWS_BMP && cmap.readUInt16BE(offset) === 4;
    if (isBmp) return offset;
  }
  throw new Error('the font has no cmap of format 4');
}

function outlineOf(loca: Buffer, glyf: Buffer, locaFormat: number, glyph: number): Buffer {
  const [from, to] = [glyph, glyph + 1].map((index) =>
    locaFormat === 0 ? loca.readUInt16BE(index * 2) * 2 : loca.readUInt32BE(index * 4),
  );
  const outline = glyf.subarray(from, to);
  if (outline.readInt16BE(0) < 0) throw new Error('the glyph is made of other glyphs');
  return withoutHints(outline);
}

/** A simple glyph's instructions refer to tables that are left out. */
function withoutHints(outline: Buffer): Buffer {
  const at = 10 + outline.readInt16BE(0) * 2;
  const hints = outline.readUInt16BE(at);
  return Buffer.concat([
    outline.subarray(0, at),
    Buffer.alloc(2),
    outline.subarray(at + 2 + hints),
  ]);
}

function metricsOf(hhea: Buffer, hmtx: Buffer, glyph: number): Buffer {
  const last = hhea.readUInt16BE(34) - 1;
  const own = Math.min(glyph, last) * 4;
  return Buffer.concat([hmtx.subarray(0, 4), hmtx.subarray(own, own + 4)]);
}

function cmapOf(code: number): Buffer {
  const segments = [code, 0xffff, 0, code, 0xffff, (1 - code) & 0xffff, 1, 0, 0];
  const subtable = [4, 14 + segments.length * 2, 0, 4, 4, 1, 0, ...segments];
  return Buffer.concat([words(2, [0, 1, CMAP_WINDOWS_BMP, 1, 0, 12]), words(2, subtable)]);
}

function words(size: 2 | 4, values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  values.forEach((value, index) => bytes.writeUIntBE(value, index * size, size));
  return bytes;
}

function patched(table: Buffer, patch: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(table);
  patch(copy);
  return copy;
}

function fontTable(tag: string, bytes: Buffer): FontTable {
  return { tag: Buffer.from(tag, 'latin1').readUInt32BE(0), checksum: checksumOf(bytes), bytes };
}

function checksumOf(table: Buffer): number {
  const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) % 2 ** 32;
  return sum;
}
