import type { FaultKind } from './faults.ts';

const TWO_RUPEES = 200;
const ABSURD = 9_007_199_254_740_994;
const MARKUP = `"><script>alert(document.domain)</script><img src=x onerror="alert(1)">`;
const SCRIPT_ADDRESS = 'javascript:alert(document.domain)//https://lender.example/';
/** Above the limit of 256 KB. */
const PADDING_BYTES = 300 * 1024;

const OFF = new Set(['instalment', 'netPayout']);
const WORDS = new Set(['name', 'description', 'explanation', 'detail', 'reason', 'address']);
const ADDRESSES = new Set(['url', 'returnUrl']);

type Change = (name: string, value: unknown) => unknown;

const CHANGES: Partial<Record<FaultKind, Change>> = {
  'two-rupees-off': (name, value) =>
    typeof value === 'number' && (OFF.has(name) || name === 'amount') ? value + TWO_RUPEES : value,
  'wrong-types': (name, value) => {
    if (Array.isArray(value)) return Object.fromEntries(Object.entries(value));
    if (typeof value === 'number') return `${value}`;
    return name === 'verdict' || name === 'answerId' ? value : [value];
  },
  'absurd-amounts': (_name, value) => (typeof value === 'number' ? ABSURD : value),
  html: (name, value) => (typeof value === 'string' && WORDS.has(name) ? value + MARKUP : value),
  'javascript-address': (name, value) => (ADDRESSES.has(name) ? SCRIPT_ADDRESS : value),
};

/** The body as a broken or hostile lender would send it; unchanged for other faults. */
export function spoil(kind: FaultKind, body: string): string {
  if (kind === 'oversized') {
    const padded = JSON.parse(body) as object;
    return JSON.stringify({ ...padded, padding: 'x'.repeat(PADDING_BYTES) });
  }
  const change = CHANGES[kind];
  if (!change) return body;
  return JSON.stringify(changed(JSON.parse(body) as unknown, change));
}

function changed(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((item) => changed(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    const isLeaf = typeof inner !== 'object' || inner === null;
    if (isLeaf) return [name, change(name, inner)];
    const deeper = changed(inner, change);
    return [name, Array.isArray(deeper) ? change(name, deeper) : deeper];
  });
  return Object.fromEntries(entries) as unknown;
}
