/** Longer answers are cut. */
const MAX_CHARACTERS = 100_000;

/** The sandbox's reserved PANs belong to no person. */
const PATTERNS: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/\b[a-z][a-z0-9-]*_(?:secret_)?(?:test|live)_[\w-]{20,}/g, '(key hidden)'],
  [/\bwhsec_[\w+/-]+=*/g, '(secret hidden)'],
  [/(?<![a-z0-9])(?!SANDX)[a-z]{5}\d{4}[a-z](?![a-z0-9])/gi, '(PAN hidden)'],
  [/(?<!\w)(?:\+?91[ -]?|0)?[6-9]\d{4}[ -]?\d{5}(?!\w)/g, '(mobile hidden)'],
];

/** Without keys, secrets of keys and webhooks, PANs and mobile numbers. */
export function hidden(text: string): string {
  const safe = PATTERNS.reduce((left, [pattern, shown]) => left.replaceAll(pattern, shown), text);
  return safe.length <= MAX_CHARACTERS ? safe : `${safe.slice(0, MAX_CHARACTERS)}\n(cut)`;
}
