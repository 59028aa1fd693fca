import {
  BASELINE,
  BOTTOM,
  LEFT,
  LINE_HEIGHT,
  type MeasureText,
  type PlacedItem,
  type PlacedPage,
  type PlacedText,
  type Tag,
  type TextStyle,
  TOP,
} from './placed-document.js';

const letters = new Intl.Segmenter('hi', { granularity: 'grapheme' });

/**
 * Breaks inside a word only when it exceeds a line, such as a hash.
 * @param widthOf in the unit of `width`
 */
export function wrappedLines(
  text: string,
  width: number,
  widthOf: (text: string) => number,
): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = brokenWord(word, width, widthOf);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return [...lines, line];
}

function brokenWord(word: string, width: number, widthOf: (text: string) => number): string[] {
  if (widthOf(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of letters.segment(word)) {
    if (piece !== '' && widthOf(piece + segment) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
}

interface TextPosition {
  readonly x: number;
  readonly top: number;
  readonly width: number;
  readonly align?: 'start' | 'end';
}

export class PageFlow {
  y = TOP;
  private readonly pages: PlacedItem[][] = [[]];

  constructor(private readonly measure: MeasureText) {}

  get placed(): readonly PlacedPage[] {
    return this.pages.map((items) => ({ items }));
  }

  get pageCount(): number {
    return this.pages.length;
  }

  /** @returns whether it started a new page */
  makeRoom(height: number): boolean {
    if (this.y + height <= BOTTOM) return false;
    this.pages.push([]);
    this.y = TOP;
    return true;
  }

  space(height: number): void {
    this.y += height;
  }

  put(item: PlacedItem): void {
    this.pages.at(-1)!.push(item);
  }

  putOn(page: number, item: PlacedItem): void {
    this.pages[page].push(item);
  }

  lines(text: string, style: TextStyle, width: number): string[] {
    return wrappedLines(text, width, (piece) => this.measure(piece, style));
  }

  heightOf(lines: readonly string[], style: TextStyle): number {
    return lines.length * style.size * LINE_HEIGHT;
  }

  paragraph(
    text: string,
    style: TextStyle,
    tag: Tag,
    { x = LEFT, width }: { x?: number; width: number },
  ): void {
    const lines = this.lines(text, style, width);
    for (const [index, line] of lines.entries()) {
      this.makeRoom(style.size * LINE_HEIGHT);
      // The trailing space separates words for screen readers.
      const read = index === lines.length - 1 ? line : `${line} `;
      this.put(this.line(read, style, tag, { x, top: this.y, width }));
      this.space(style.size * LINE_HEIGHT);
    }
  }

  block(lines: readonly string[], style: TextStyle, tag: Tag | null, position: TextPosition): void {
    for (const [index, line] of lines.entries()) {
      const top = position.top + index * style.size * LINE_HEIGHT;
      const isLast = index === lines.length - 1;
      const read = isLast || position.align === 'end' ? line : `${line} `;
      this.put(this.line(read, style, tag, { ...position, top }));
    }
  }

  line(text: string, style: TextStyle, tag: Tag | null, position: TextPosition): PlacedText {
    const spare = position.align === 'end' ? position.width - this.measure(text, style) : 0;
    const baseline = position.top + style.size * BASELINE;
    return { kind: 'text', x: position.x + spare, baseline, text, style, tag };
  }
}
