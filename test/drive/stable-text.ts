const TEN_MINUTES = 10;

interface Rule {
  readonly kind: string | ((found: string) => string);
  readonly pattern: RegExp;
}

const RULES: readonly Rule[] = [
  { kind: 'uuid', pattern: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g },
  {
    kind: (id) => id.split('_')[0],
    pattern: /(?<![0-9A-Za-z])[a-z]{2,6}_[0-9a-f]{32}(?![0-9A-Za-z])/g,
  },
  { kind: 'secret', pattern: /\bwhsec_[\w+/=-]+/g },
  { kind: 'reference', pattern: /\b[A-Z]{5,}-?[0-9A-F]{12}\b/g },
  { kind: 'hash', pattern: /\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{16})\b/g },
  // Base64url of at least 20 characters with upper and lower case, except camel-case words.
  {
    kind: 'token',
    pattern:
      /(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?!(?:[a-z]+|[A-Z][a-z]+)(?:[A-Z][a-z]+)+(?![\w-]))[\w-]{20,}/g,
  },
];

const ISO_TIME = /\b(\d{4}-\d\d-\d\d[T ]\d\d):(\d\d):\d\d(?:\.\d+)?/g;
const COMPACT_TIME = /\b(\d{8}T\d\d)(\d\d)\d\d(?=Z)/g;
const PAGE_TIME = /\b(\d{1,2}):(\d\d)\b(?!:)/g;
const AGE = /\b\d{4,} seconds \([^)]*\)/g;
const UNIX_TIME = /(?<![0-9A-Fa-f])1[789]\d{8}(?:\d{3})?(?![0-9A-Za-z])/g;
const MEASURED: ReadonlySet<string> = new Set([
  'durationMs',
  'lastDeliveryAt',
  'nextAttemptAt',
  'startedAt',
]);
const HOST = /\b(?:127\.0\.0\.1|localhost):\d+/g;

/**
 * Replaces ids, tokens, hashes and ports with placeholders, numbered by first appearance. Rounds times down to ten
 * minutes.
 */
export class StableText {
  private readonly placeholders = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  knows(value: string): boolean {
    return this.placeholders.has(value);
  }

  text(text: string): string {
    const timed = text
      .replaceAll(HOST, '<host>')
      .replaceAll(AGE, '<age>')
      .replaceAll(ISO_TIME, (_, hour: string, minute: string) => `${hour}:${rounded(minute)}`)
      .replaceAll(COMPACT_TIME, (_, hour: string, minute: string) => hour + rounded(minute))
      .replaceAll(PAGE_TIME, (_, hour: string, minute: string) => `${hour}:${rounded(minute)}`);
    const numbered = RULES.reduce(
      (replaced, { kind, pattern }) =>
        replaced.replaceAll(pattern, (found) =>
          this.placeholder(found, typeof kind === 'string' ? kind : kind(found)),
        ),
      timed,
    );
    // Last, because a hash may contain as many digits.
    return numbered.replaceAll(UNIX_TIME, '<time>');
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        MEASURED.has(name) ? `<${name}>` : this.value(item),
      ]),
    );
  }

  private placeholder(found: string, kind: string): string {
    const known = this.placeholders.get(found);
    if (known !== undefined) return known;
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    const placeholder = `<${kind} ${count}>`;
    this.placeholders.set(found, placeholder);
    return placeholder;
  }
}

function rounded(minute: string): string {
  return String(Math.floor(Number(minute) / TEN_MINUTES) * TEN_MINUTES).padStart(2, '0');
}
