import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PdfKit from 'pdfkit';
import { openTypeFile } from './open-type-file.js';
import {
  type MeasureText,
  PAGE_HEIGHT,
  PAGE_WIDTH,
  type PlacedDocument,
  type PlacedFill,
  type PlacedItem,
  type PlacedPage,
  type PlacedRule,
  type PlacedText,
  type Tag,
  type TextStyle,
} from './placed-document.js';

type FontPart = 'latin' | 'latin-ext' | 'devanagari';

interface FontRun {
  readonly part: FontPart;
  readonly text: string;
}

const LAST_LATIN_1 = 0xff;
const RUPEE_SIGN = 0x20b9;

/** Devanagari letters, marks and joiners. */
const DEVANAGARI = [
  [0x0900, 0x097f],
  [0x1cd0, 0x1cf9],
  [0x200c, 0x200d],
  [0xa8e0, 0xa8ff],
] as const;

/** Quotation marks, dashes, the minus sign. */
const LATIN_SIGNS = [
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2212, 0x2212],
] as const;

export function fontRuns(text: string): FontRun[] {
  const runs: { part: FontPart; text: string }[] = [];
  for (const character of text) {
    const part = partOf(character.codePointAt(0) ?? 0);
    const last = runs.at(-1);
    if (last?.part === part) last.text += character;
    else runs.push({ part, text: character });
  }
  return runs;
}

export function hasDevanagari(text: string): boolean {
  return fontRuns(text).some(({ part, text: run }) => part === 'devanagari' && run !== '₹');
}

function partOf(codePoint: number): FontPart {
  if (codePoint === RUPEE_SIGN || isWithin(codePoint, DEVANAGARI)) return 'devanagari';
  if (codePoint <= LAST_LATIN_1 || isWithin(codePoint, LATIN_SIGNS)) return 'latin';
  return 'latin-ext';
}

function isWithin(codePoint: number, ranges: readonly (readonly [number, number])[]): boolean {
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}

interface FontFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const PARTS: readonly FontPart[] = ['latin', 'latin-ext', 'devanagari'];
const WEIGHTS: readonly TextStyle['weight'][] = [400, 600];

let files: readonly FontFile[] | undefined;

/** Unpacked on first use. */
function fontFiles(): readonly FontFile[] {
  files ??= WEIGHTS.flatMap((weight) => PARTS.map((part) => fontFile(part, weight)));
  return files;
}

function fontName(part: FontPart, weight: TextStyle['weight']): string {
  return `mukta-${part}-${weight}`;
}

function fontFile(part: FontPart, weight: TextStyle['weight']): FontFile {
  const name = fontName(part, weight);
  const { resolve } = createRequire(import.meta.url);
  const woff = readFileSync(resolve(`@fontsource/mukta/files/${name}-normal.woff`));
  return { name, bytes: openTypeFile(woff) };
}

export interface PdfProperties {
  readonly title: string;
  /** BCP 47. */
  readonly language: string;
  /** Fixed per statement, so that the bytes are reproducible. */
  readonly createdAt: Date;
}

type StructureElement = ReturnType<PDFKit.PDFDocument['struct']>;

/** The library's types lack `scope`. */
type ElementOptions = NonNullable<Parameters<PDFKit.PDFDocument['struct']>[1]> & {
  readonly scope?: Tag['scope'];
};

/** The screens' light colours (views/screens/design/1-tokens.css). */
const INK: Record<TextStyle['ink'], string> = { full: '#16202b', quiet: '#55616d' };
const RULE_COLOUR = '#74818d';
const FILL_COLOUR = '#eaf2fb';
const RULE_WIDTH = 0.5;

/** Tagged PDF 1.7; about 10 ms of CPU a page. */
export async function drawnPdf(
  properties: PdfProperties,
  layOut: (measure: MeasureText) => PlacedDocument,
): Promise<Buffer> {
  const pdf = emptyPdf(properties);
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve).on('error', reject);
  });
  new PdfDrawing(pdf).draw(layOut((text, style) => widthOf(pdf, text, style)));
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function emptyPdf({ title, language, createdAt }: PdfProperties): PDFKit.PDFDocument {
  const pdf = new PdfKit({
    size: [PAGE_WIDTH, PAGE_HEIGHT],
    // All items have positions: the library must not add pages.
    margin: 0,
    autoFirstPage: false,
    font: '',
    pdfVersion: '1.7',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: { Title: title, CreationDate: createdAt, Producer: 'Rinpath', Creator: 'Rinpath' },
  });
  for (const { name, bytes } of fontFiles()) pdf.registerFont(name, bytes);
  return pdf;
}

function widthOf(pdf: PDFKit.PDFDocument, text: string, style: TextStyle): number {
  return fontRuns(text).reduce((width, { part, text: run }) => {
    pdf.font(fontName(part, style.weight)).fontSize(style.size);
    return width + pdf.widthOfString(run);
  }, 0);
}

class PdfDrawing {
  private readonly elements = new Map<Tag, StructureElement>();

  constructor(private readonly pdf: PDFKit.PDFDocument) {}

  draw({ pages, structure, bookmarks }: PlacedDocument): void {
    this.pdf.addStructure(this.elementOf(structure));
    for (const [number, page] of pages.entries()) {
      this.pdf.addPage();
      for (const { title, page: at } of bookmarks) {
        if (at === number) this.pdf.outline.addItem(title);
      }
      this.page(page);
    }
    this.elements.get(structure)?.end();
  }

  private elementOf(tag: Tag): StructureElement {
    const options: ElementOptions = { scope: tag.scope };
    const element = this.pdf.struct(tag.type, options);
    this.elements.set(tag, element);
    for (const child of tag.children) element.add(this.elementOf(child));
    return element;
  }

  private page({ items }: PlacedPage): void {
    for (const item of items) {
      const element = item.kind === 'text' && item.tag ? this.elements.get(item.tag) : undefined;
      if (!element || item.kind !== 'text' || !item.tag) this.artifact(item);
      else {
        const content = this.pdf.markStructureContent(item.tag.type);
        this.text(item);
        this.pdf.endMarkedContent();
        element.add(content);
      }
    }
  }

  private artifact(item: PlacedItem): void {
    const type = item.kind === 'text' ? 'Pagination' : 'Layout';
    this.pdf.markContent('Artifact', { type });
    if (item.kind === 'text') this.text(item);
    else if (item.kind === 'rule') this.rule(item);
    else this.fill(item);
    this.pdf.endMarkedContent();
  }

  private text({ x, baseline, text, style }: PlacedText): void {
    const { pdf } = this;
    // Shaped glyphs are in visual order; readers need this text.
    const isReordered = hasDevanagari(text);
    if (isReordered) pdf.markContent('Span', { actual: text });
    let at = x;
    for (const { part, text: run } of fontRuns(text)) {
      pdf.font(fontName(part, style.weight)).fontSize(style.size).fillColor(INK[style.ink]);
      pdf.text(run, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
      at += pdf.widthOfString(run);
    }
    if (isReordered) pdf.endMarkedContent();
  }

  private rule({ x, y, width }: PlacedRule): void {
    this.pdf.lineWidth(RULE_WIDTH).strokeColor(RULE_COLOUR);
    this.pdf
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke();
  }

  private fill({ x, y, width, height, radius = 0 }: PlacedFill): void {
    this.pdf.roundedRect(x, y, width, height, radius).fill(FILL_COLOUR);
  }
}
