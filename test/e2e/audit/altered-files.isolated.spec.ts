// Isolated: tables are altered without a trace, and the whole database is verified.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditKey, checkAuditFile, readAuditFile } from '../../../src/audit/index.js';
import { AUDIT_TRAIL } from '../../../src/composition.js';
import { inForm } from '../../support/long-form.js';
import { AuditBench } from './audit-bench.js';

/** How often each kind of change is made, at places that chance finds. */
const RUNS = inForm({ short: 10, long: 500 });

// Each change is a whole check of a file.
vi.setConfig({ testTimeout: 240_000 });

let bench: AuditBench;
let folder: string;
let keys: AuditKey[];
const files: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rinpath-altered-'));
  bench = await AuditBench.open();
  const { id } = await bench.journey();
  await bench.signRoots();
  for (const more of [[], ['--personal']]) {
    const out = join(folder, 'file.json');
    const { code } = await bench.admin('audit', 'export', '--journey', id, '--out', out, ...more);
    expect(code).toBe(0);
    files.push(readFileSync(out, 'utf8'));
  }
  ({ keys } = JSON.parse((await bench.admin('audit', 'keys')).out) as { keys: AuditKey[] });
});

afterAll(async () => {
  await bench?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function passes(written: Buffer | string): Promise<boolean> {
  const bytes = typeof written === 'string' ? Buffer.from(written) : written;
  const file = readAuditFile(bytes);
  if (!file) return false;
  const { sources } = AUDIT_TRAIL;
  return (await checkAuditFile(file, { keys, sources })).faults.length === 0;
}

/** JSON as members in their order, so that one can be there twice. */
type Node = { members: [string, Node][] } | { items: Node[] } | { leaf: unknown };

function nodeOf(value: unknown): Node {
  if (Array.isArray(value)) return { items: value.map(nodeOf) };
  if (typeof value !== 'object' || value === null) return { leaf: value };
  return { members: Object.entries(value).map(([name, one]) => [name, nodeOf(one)]) };
}

function textOf(node: Node, indent = '\n'): string {
  if ('leaf' in node) return JSON.stringify(node.leaf);
  const inner = `${indent}  `;
  const [open, close, parts] =
    'items' in node
      ? ['[', ']', node.items.map((one) => textOf(one, inner))]
      : [
          '{',
          '}',
          node.members.map(([name, one]) => `${JSON.stringify(name)}: ${textOf(one, inner)}`),
        ];
  return parts.length === 0
    ? open + close
    : `${open}${inner}${parts.join(`,${inner}`)}${indent}${close}`;
}

function all(node: Node): Node[] {
  if ('leaf' in node) return [node];
  const below = 'items' in node ? node.items : node.members.map(([, one]) => one);
  return [node, ...below.flatMap(all)];
}

type Pick = (length: number) => number;
type Change = (node: Node, pick: Pick) => void;

const CHANGES: Record<string, Change> = {
  'a member is added': (root, pick) => {
    const members = some(root, pick, isObject).members;
    const name = ['remark', 'ruling', 'toString', '__proto__', 'story', ''][pick(6)];
    members.splice(pick(members.length + 1), 0, [name, { leaf: ['x', null, true, 0][pick(4)] }]);
  },
  'a member is there twice': (root, pick) => {
    const { members } = some(root, pick, isObject);
    const [name, value] = members[pick(members.length)];
    const other: Node = [value, { leaf: null }, { items: [] }, { members: [] }][pick(4)];
    members.splice(pick(members.length + 1), 0, [name, other]);
  },
  'a member is taken out': (root, pick) => {
    const { members } = some(root, pick, isObject);
    members.splice(pick(members.length), 1);
  },
  'a value is changed': (root, pick) => {
    const place = some(root, pick, isLeaf);
    place.leaf = changed(place.leaf, pick);
  },
  'a member or item changes its place': (root, pick) => {
    const lists = all(root).map((node): unknown[] =>
      'items' in node ? node.items : 'members' in node ? node.members : [],
    );
    const long = lists.filter(({ length }) => length > 1);
    const list = long[pick(long.length)];
    list.splice(pick(list.length), 0, ...list.splice(pick(list.length), 1));
  },
  'an item is added or taken out': (root, pick) => {
    const { items } = some(root, pick, (node) => 'items' in node && node.items.length > 0);
    const at = pick(items.length);
    if (pick(2) === 0) items.splice(at, 1);
    else items.splice(at, 0, items[pick(items.length)]);
  },
};

function isObject(node: Node): boolean {
  return 'members' in node;
}

function isLeaf(node: Node): boolean {
  return 'leaf' in node;
}

function some(root: Node, pick: Pick, isOne: (node: Node) => boolean) {
  const nodes = all(root).filter(isOne);
  return nodes[pick(nodes.length)] as { members: [string, Node][]; items: Node[]; leaf: unknown };
}

function changed(value: unknown, pick: Pick): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number')
    return [value + 1, -value - 1, value + 0.5, String(value)][pick(4)];
  if (typeof value !== 'string' || value === '') return 'x';
  const at = pick(value.length);
  const letter = value[at] === 'A' ? 'B' : 'A';
  return [
    value.slice(0, at) + letter + value.slice(at + 1),
    value.slice(0, at) + value.slice(at + 1),
    `${value} `,
    // The last letter of a signature has bits that stand for nothing.
    value.slice(0, -1) + String.fromCharCode(value.charCodeAt(value.length - 1) + 1),
    null,
  ][pick(5)];
}

const fromFractions = (fractions: number[]): Pick => {
  let next = 0;
  return (length) => Math.floor(fractions[next++ % fractions.length] * length);
};

const ANY = fc.tuple(
  fc.nat({ max: 1 }),
  fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), { minLength: 7, maxLength: 7 }),
);

describe('a file of `audit export`', () => {
  it('passes as it was written', async () => {
    for (const file of files) {
      expect(await passes(file)).toBe(true);
      expect(`${textOf(nodeOf(JSON.parse(file)))}\n`).toBe(file);
    }
  });

  it.each(Object.entries(CHANGES))('never passes when %s', async (_, change) => {
    await fc.assert(
      fc.asyncProperty(ANY, async ([index, fractions]) => {
        const root = nodeOf(JSON.parse(files[index]));
        change(root, fromFractions(fractions));
        const text = `${textOf(root)}\n`;
        fc.pre(text !== files[index]);
        expect(await passes(text)).toBe(false);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('never passes when one of its bytes is another, is gone, or came in', async () => {
    await fc.assert(
      fc.asyncProperty(ANY, fc.nat({ max: 255 }), async ([index, [place, kind]], byte) => {
        const before = Buffer.from(files[index]);
        const at = Math.floor(place * before.length);
        const put = kind < 1 / 3 ? [] : [byte];
        const after = kind < 2 / 3 ? at + 1 : at;
        const bytes = Buffer.concat([
          before.subarray(0, at),
          Buffer.from(put),
          before.subarray(after),
        ]);
        fc.pre(!bytes.equals(before));
        expect(await passes(bytes)).toBe(false);
      }),
      { numRuns: 3 * RUNS, endOnFailure: true },
    );
  });

  it.each([
    ['without line breaks', (text: string) => JSON.stringify(JSON.parse(text))],
    ['without the last line break', (text: string) => text.trimEnd()],
    ['with one more', (text: string) => `${text}\n`],
    ['with a byte order mark', (text: string) => `\u{feff}${text}`],
    ['with line breaks of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['with a number written otherwise', (text: string) => text.replace(': 1,', ': 1.0,')],
    ['with a letter written otherwise', (text: string) => text.replace('rinpath', '\\u0072inpath')],
    ['with another story on top', (text: string) => text.replace('{', '{\n  "story": [],')],
    ['with entries on top', (text: string) => text.replace('{', '{\n  "entries": [],')],
  ])('never passes %s', async (_, change) => {
    for (const file of files) {
      expect(change(file)).not.toBe(file);
      expect(await passes(change(file))).toBe(false);
    }
  });

  it('is printed without anything that a terminal obeys, on its own lines', async () => {
    const verdict = 'Everything is as it was written and signed.';
    const file = JSON.parse(files[0]) as { subjectId: string };
    file.subjectId += `\n${verdict}\n\u001b[8m\u202e\u2028`;
    const altered = join(folder, 'altered.json');
    writeFileSync(altered, `${textOf(nodeOf(file))}\n`);
    const { code, out, error } = await bench.admin('audit', 'verify', altered);
    expect(code).toBe(1);
    expect(out.split('\n')).not.toContain(verdict);
    expect(`${out}${error}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});
