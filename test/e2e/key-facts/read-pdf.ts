import { inflateSync } from 'node:zlib';

/** The content of a PDF. Reads only what this service draws. */
export interface ReadPdf {
  readonly version: string;
  /** By the names of the document information dictionary: Title, CreationDate. */
  readonly info: Readonly<Record<string, string>>;
  readonly language: string;
  readonly isTagged: boolean;
  /** How often each structure element occurs: Table, TR, TH. */
  readonly elements: Readonly<Record<string, number>>;
  /** The text of each page: each piece as drawn, or its replacement text for screen readers. */
  readonly pages: readonly (readonly string[])[];
}

const OBJECT = /(\d+) 0 obj\n([\s\S]*?)\nendobj/g;
const UTF_16_MARK = '\xfe\xff';

class PdfObjects {
  private readonly bodies = new Map<string, string>();

  constructor(text: string) {
    for (const [, id, body] of text.matchAll(OBJECT)) this.bodies.set(id, body);
  }

  get all(): string[] {
    return [...this.bodies.values()];
  }

  body(id: string | undefined): string {
    const body = this.bodies.get(id ?? '');
    if (body === undefined) throw new Error(`the PDF has no object ${id}`);
    return body;
  }

  find(pattern: RegExp): string {
    const body = this.all.find((one) => pattern.test(one));
    if (body === undefined) throw new Error(`the PDF has no object like ${pattern}`);
    return body;
  }

  stream(id: string | undefined): string {
    const body = this.body(id);
    const [, content = ''] = /stream\n([\s\S]*?)\nendstream/.exec(body) ?? [];
    const bytes = Buffer.from(content, 'latin1');
    return (body.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
  }
}

/** @throws Error if the bytes are not a PDF that this service draws */
export function readPdf(bytes: Buffer): ReadPdf {
  const text = bytes.toString('latin1');
  if (!text.startsWith('%PDF-') || !text.trimEnd().endsWith('%%EOF'))
    throw new Error('no whole PDF');
  const objects = new PdfObjects(text);
  const root = objects.find(/\/Type \/Catalog/);
  const pages = objects.body(reference(root, 'Pages'));
  const kids = [...(/\/Kids \[([^\]]*)\]/.exec(pages)?.[1] ?? '').matchAll(/(\d+) 0 R/g)];
  return {
    version: text.slice(5, 8),
    info: infoOf(objects, text),
    language: stringIn(root, 'Lang'),
    isTagged: /\/Marked true/.test(objects.body(reference(root, 'MarkInfo'))),
    elements: elementsOf(objects),
    pages: kids.map(([, id]) => piecesOf(objects, objects.body(id))),
  };
}

function infoOf(objects: PdfObjects, text: string): Record<string, string> {
  const trailer = text.slice(text.lastIndexOf('trailer'));
  const info = objects.body(reference(trailer, 'Info'));
  const entries = [...info.matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name, id]) => {
    return [name, decoded(/\(([\s\S]*)\)/.exec(objects.body(id))?.[1] ?? '')];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

function elementsOf(objects: PdfObjects): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const body of objects.all) {
    const type = /\/S \/(\w+)/.exec(body)?.[1];
    if (type) counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

function piecesOf(objects: PdfObjects, page: string): string[] {
  const fonts = fontsOf(objects, objects.body(reference(page, 'Resources')));
  const content = objects.stream(reference(page, 'Contents'));
  const pieces: string[] = [];
  let piece = '';
  let replacement: string | undefined;
  let glyphs: ReadonlyMap<string, string> = new Map();
  for (const line of content.split('\n')) {
    const actual = /\/ActualText \(([\s\S]*)\)/.exec(line)?.[1];
    if (actual !== undefined) replacement = decoded(actual);
    const font = /^\/(\w+) [\d.]+ Tf$/.exec(line)?.[1];
    if (font !== undefined) glyphs = fonts.get(font) ?? glyphs;
    if (line.endsWith('TJ')) piece += shown(line, glyphs);
    if (line === 'EMC' && (piece !== '' || replacement !== undefined)) {
      pieces.push((replacement ?? piece).trim());
      [piece, replacement] = ['', undefined];
    }
  }
  return pieces.filter((text) => text !== '');
}

/** The text of each glyph, from the fonts' own tables. */
function fontsOf(objects: PdfObjects, resources: string): Map<string, Map<string, string>> {
  const fonts = /\/Font <<([\s\S]*?)>>/.exec(resources)?.[1] ?? '';
  return new Map(
    [...fonts.matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name, id]) => [
      name,
      glyphsOf(objects.stream(reference(objects.body(id), 'ToUnicode'))),
    ]),
  );
}

function glyphsOf(cmap: string): Map<string, string> {
  const glyphs = new Map<string, string>();
  for (const [, first, list] of cmap.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g)) {
    for (const [index, [, codes]] of [...list.matchAll(/<([^>]*)>/g)].entries()) {
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0');
      const units = codes.split(' ').filter((code) => code !== '');
      glyphs.set(
        glyph,
        units.map((code) => String.fromCharCode(Number.parseInt(code, 16))).join(''),
      );
    }
  }
  return glyphs;
}

function shown(line: string, glyphs: ReadonlyMap<string, string>): string {
  return [...line.matchAll(/<(\w+)>/g)]
    .flatMap(([, codes]) => codes.match(/.{4}/g) ?? [])
    .map((code) => glyphs.get(code) ?? '\ufffd')
    .join('');
}

function reference(body: string, name: string): string | undefined {
  return new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1];
}

function stringIn(body: string, name: string): string {
  return decoded(new RegExp(`/${name} \\(([^)]*)\\)`).exec(body)?.[1] ?? '');
}

/** A PDF string without escapes, decoded from UTF-16 if it is marked so. */
function decoded(raw: string): string {
  const plain = raw.replaceAll(/\\([nrtbf()\\])/g, (_, sign: string) => ESCAPES[sign] ?? sign);
  if (!plain.startsWith(UTF_16_MARK)) return plain;
  return Buffer.from(plain.slice(2), 'latin1').swap16().toString('utf16le');
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
