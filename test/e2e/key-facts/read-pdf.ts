import { inflateSync } from 'node:zlib';

/** The content of a PDF. Reads only what this service draws. */
export interface ReadPdf {
  /** By the names of the document information dictionary: Title, CreationDate. */
  readonly info: Readonly<Record<string, string>>;
  readonly language: string;
  /** The texts of each page, as drawn, or their `ActualText`. */
  readonly pages: readonly (readonly string[])[];
}

const OBJECT = /(\d+) 0 obj\n([\s\S]*?)\nendobj/g;
const REFERENCE = /\/(\w+) (\d+) 0 R/g;
const UTF_16_MARK = '\xfe\xff';

/** @throws Error unless this service could have drawn the PDF */
export function readPdf(bytes: Buffer): ReadPdf {
  const text = bytes.toString('latin1');
  if (!text.startsWith('%PDF-') || !text.trimEnd().endsWith('%%EOF'))
    throw new Error('no whole PDF');
  const objects = new Map([...text.matchAll(OBJECT)].map(([, id, body]) => [id, body]));
  /** The objects that a body refers to, by name. */
  const referred = (body: string): Record<string, string> =>
    Object.fromEntries(
      [...body.matchAll(REFERENCE)].map(([, name, id]) => [name, objects.get(id)!]),
    );
  const { Root, Info } = referred(text.slice(text.lastIndexOf('trailer')));
  const kids = /\/Kids \[([^\]]*)\]/.exec(referred(Root).Pages)![1].matchAll(/(\d+) 0 R/g);
  const info = Object.entries(referred(Info)).map(([name, body]) => [name, stringIn(body)]);
  return {
    info: Object.fromEntries(info) as Record<string, string>,
    language: stringIn(/\/Lang .*/.exec(Root)![0]),
    pages: [...kids].map(([, id]) => {
      const { Resources, Contents } = referred(objects.get(id)!);
      const fonts = referred(/\/Font <<([\s\S]*?)>>/.exec(Resources)?.[1] ?? '');
      const glyphs = Object.entries(fonts).map(([name, font]) => {
        return [name, glyphsOf(streamOf(referred(font).ToUnicode))] as const;
      });
      return piecesOf(streamOf(Contents), new Map(glyphs));
    }),
  };
}

function streamOf(body: string): string {
  const [, content] = /stream\n([\s\S]*?)\nendstream/.exec(body)!;
  const bytes = Buffer.from(content, 'latin1');
  return (body.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
}

type Glyphs = ReadonlyMap<string, string>;

function piecesOf(content: string, fonts: ReadonlyMap<string, Glyphs>): string[] {
  const pieces: string[] = [];
  let piece = '';
  let replacement: string | undefined;
  let glyphs: Glyphs = new Map();
  for (const line of content.split('\n')) {
    if (line.includes('/ActualText ')) replacement = stringIn(line);
    const [, font] = /^\/(\w+) [\d.]+ Tf$/.exec(line) ?? [];
    glyphs = fonts.get(font) ?? glyphs;
    if (line.endsWith('TJ')) piece += shown(line, glyphs);
    if (line === 'EMC') {
      pieces.push((replacement ?? piece).trim());
      [piece, replacement] = ['', undefined];
    }
  }
  return pieces.filter((text) => text !== '');
}

/** The text of each glyph, from the font's own table. */
function glyphsOf(cmap: string): Glyphs {
  const glyphs = new Map<string, string>();
  for (const [, first, list] of cmap.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g)) {
    for (const [index, [, codes]] of [...list.matchAll(/<([^>]*)>/g)].entries()) {
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0');
      const units = codes.match(/[0-9a-f]+/gi) ?? [];
      glyphs.set(glyph, String.fromCharCode(...units.map((code) => Number.parseInt(code, 16))));
    }
  }
  return glyphs;
}

function shown(line: string, glyphs: Glyphs): string {
  return [...line.matchAll(/<(\w+)>/g)]
    .flatMap(([, codes]) => codes.match(/.{4}/g) ?? [])
    .map((code) => glyphs.get(code) ?? '\ufffd')
    .join('');
}

/** Decodes a string: escapes, and UTF-16 with a byte order mark. */
function stringIn(body: string): string {
  const [, raw = ''] = /\(([\s\S]*)\)/.exec(body) ?? [];
  const plain = raw.replaceAll(/\\([nrtbf()\\])/g, (_, sign: string) => ESCAPES[sign] ?? sign);
  if (!plain.startsWith(UTF_16_MARK)) return plain;
  return Buffer.from(plain.slice(2), 'latin1').swap16().toString('utf16le');
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
