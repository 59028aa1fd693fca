/** Larger bodies are not parsed: their sender is unverified. */
const MAX_BYTES = 16 * 1024;

interface Style {
  readonly comma: string;
  readonly colon: string;
  readonly isSorted: boolean;
  readonly isAscii: boolean;
}

const STYLES: readonly Style[] = [false, true].flatMap((isSorted) =>
  [false, true].flatMap((isAscii) => [
    { comma: ',', colon: ':', isSorted, isAscii },
    { comma: ', ', colon: ': ', isSorted, isAscii },
  ]),
);
const INDENTS = [2, 4, '\t'];

/** The same JSON in the forms of common libraries. Empty when the body is large or not JSON. */
export function bodiesSerialisedAgain(body: Buffer): string[] {
  if (body.length > MAX_BYTES) return [];
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    const written = [
      ...STYLES.map((style) => write(value, style)),
      ...INDENTS.map((indent) => JSON.stringify(value, null, indent)),
    ];
    const sent = body.toString('utf8');
    return [...new Set(written)].filter((text) => text !== sent);
  } catch {
    // Not JSON, or nested too deeply.
    return [];
  }
}

function write(value: unknown, style: Style): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => write(item, style)).join(style.comma)}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const ordered = style.isSorted ? entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) : entries;
    const fields = ordered.map(
      ([name, field]) => write(name, style) + style.colon + write(field, style),
    );
    return `{${fields.join(style.comma)}}`;
  }
  const text = JSON.stringify(value);
  return style.isAscii ? text.replaceAll(/[\u007f-\uffff]/g, escaped) : text;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
