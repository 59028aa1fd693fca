// Isolated: begins with an empty database.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CommandOutcome, runAdmin } from '../../support/admin-command.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(() => database.drop());

const admin = (...parameters: string[]) => runAdmin(database.url, ...parameters);

function kidsIn({ out }: CommandOutcome): unknown[] {
  const { keys } = JSON.parse(out) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

it('is made by the first command that lists the keys, and the same for all that come at once', async () => {
  const [one, other, list] = await Promise.all([
    admin('audit', 'keys'),
    admin('audit', 'keys'),
    admin('lender-keys', 'list'),
  ]);
  expect([one, other, list]).toEqual(
    Array(3).fill(expect.objectContaining({ code: 0, error: '' })),
  );
  const [kid] = kidsIn(one);
  expect(kidsIn(one)).toEqual([expect.stringMatching(/^rinpath-/)]);
  expect(kidsIn(other)).toEqual([kid]);
  expect(list.out).toMatch(new RegExp(`^${String(kid)} +SIGNS`, 'm'));
  expect(kidsIn(await admin('audit', 'keys'))).toEqual([kid]);
});

it.each([
  'partners list',
  'keys list',
  'deliveries list',
  'lender-keys list',
  'audit keys',
  'audit roots',
  'audit roots --newest',
  'audit roots --signed',
  'audit roots --signed --newest',
])('`%s` prints no empty list before there is anything', async (command) => {
  const { code, out, error } = await admin(...command.split(' '));
  expect(code === 0 ? out : error).toMatch(/\S/);
  expect(out).not.toMatch(/\[\s*\]/);
});
