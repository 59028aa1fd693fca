// Isolated: starts commands on an empty database.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectPath } from '../../../src/platform/index.js';
import { runAdmin, runAdminWith, runCommand } from '../../support/admin-command.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

const directory = mkdtempSync(join(tmpdir(), 'rinpath-command-line-'));
const shipped = projectPath('config/sandbox.yaml');
const { version } = parse(readFileSync(shipped, 'utf8')) as { version: number };

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
  // The first command finds no schema, as on a new installation.
  const { code, error } = await run('config', 'apply', shipped);
  if (code !== 0) throw new Error(error);
});

afterAll(async () => {
  await database.drop();
  rmSync(directory, { recursive: true });
});

function run(...parameters: string[]) {
  return runAdminWith({ CONFIG_FILE: shipped }, database.url, ...parameters);
}

/** Runs a command that says one thing, and fails if that is an error. */
async function says(sentence: string, ...parameters: string[]): Promise<void> {
  const { code, out, error } = await run(...parameters);
  expect([out + error, code]).toEqual([sentence, sentence.startsWith('Error') ? 1 : 0]);
}

function issued(name: string, different: Record<string, string> = {}): string[] {
  const options = { partner: 'demo', scopes: 'leads:read, products:read', ...different };
  const all = { products: 'ONLINE_GOLD', name, ...options };
  return ['keys', 'issue', ...Object.entries(all).flatMap(([key, value]) => [`--${key}`, value])];
}

async function issue(name: string): Promise<{ id: string; secret: string; apiKey: string }> {
  const { out } = await run(...issued(name));
  const word = (label: string) => new RegExp(`^${label} +(\\S+)$`, 'm').exec(out)?.[1] ?? '';
  return { id: word('Key'), apiKey: word('API key'), secret: word('Secret') };
}

describe('config', () => {
  it('diff shows what apply then changes, changes nothing itself, and names who works outside the file', async () => {
    const own = await createEmptyDatabase();
    try {
      const config = (verb: 'apply' | 'diff', file: string) =>
        runAdmin(own.url, 'config', verb, file);
      expect((await config('apply', shipped)).out).toMatch(
        /\n- the first configuration: products: \d/,
      );
      const given = parse(shippedConfiguration()) as { partners: { id: string }[] };
      const file = join(directory, 'changed.yaml');
      const [first, other] = given.partners;
      const write = (changes: object) => {
        const partners = [{ ...first, alertEmails: ['on-call@other.example'], ...changes }];
        writeFileSync(file, JSON.stringify({ ...given, version: version + 1, partners }));
      };
      write({});
      const [title, ...different] = (await config('diff', file)).out.split('\n');
      expect(title).toBe(`OK: applying ${file} (version ${version + 1}) would change:`);
      for (const line of [
        `- configuration: fileVersion: ${version} → ${version + 1}`,
        `- partner ${first.id}: alertEmails[0]: none → "on-call@other.example"`,
        expect.stringMatching(`^Warning: partner ${other.id} is not in the file; its keys`),
        expect.stringMatching(`^Warning: alertEmails of ${first.id} get no mail if the service`),
      ]) {
        expect(different).toContainEqual(line);
      }
      expect((await config('apply', file)).out.split('\n').slice(1)).toEqual(different);
      expect((await config('diff', file)).out).toContain('would change nothing.');
      write({ returnUrl: 'https://third.example/back' });
      expect((await config('diff', file)).out).toContain(
        `Warning: version ${version + 1} was already in force with other contents; raise version`,
      );
    } finally {
      await own.drop();
    }
  });

  it('check says whether a file is right, apply whether there was anything to do, and both name every mistake', async () => {
    await says(`OK: ${shipped} (version ${version}) is valid.`, 'config', 'check');
    await says(`OK: ${shipped} (version ${version}) was already in force.`, 'config', 'apply');
    const wrong = join(directory, 'wrong.yaml');
    writeFileSync(wrong, 'version: one\nproducts: []\n');
    for (const verb of ['check', 'apply']) {
      const { code, error } = await run('config', verb, wrong);
      expect(code).toBe(1);
      expect(error).toContain('- version must be a whole number');
      expect(error).toContain('- products must be a list of at least 1');
    }
  });
});

describe('keys', () => {
  it('issue shows the key and its secret, and nothing shows them again', async () => {
    const { id, apiKey, secret } = await issue('shown once');
    expect(apiKey).toMatch(/^rinpath_test_[0-9A-Za-z]{36}$/);
    expect(secret).toMatch(/^rinpath_secret_test_[\w-]{43}$/);
    const { out } = await run('keys', 'list', '--partner', 'demo');
    expect(out).toContain(id);
    expect(out).toContain('leads:read products:read');
    expect(out).not.toContain(apiKey);
    expect(out).not.toContain(secret);
    expect((await run('keys', 'list', '--partner', 'limited')).out).not.toContain(id);
  });

  it('are suspended, resumed and revoked, each once, after which the name is free', async () => {
    const { id } = await issue('in and out');
    await says('Error: Partner demo already has a key named in and out.', ...issued('in and out'));
    for (const [verb, sentence] of [
      ['suspend', `OK: key ${id} is suspended.`],
      ['suspend', `Error: Key ${id} is already suspended.`],
      ['resume', `OK: key ${id} is active.`],
      ['resume', `Error: Key ${id} is not suspended.`],
      ['revoke', `OK: key ${id} is revoked.`],
      ['revoke', `Error: Key ${id} is revoked; that is permanent.`],
      ['resume', `Error: Key ${id} is revoked; that is permanent.`],
    ]) {
      await says(sentence, 'keys', verb, id);
    }
    expect((await issue('in and out')).id).not.toBe('');
  });

  it('limit changes what is given and leaves the other', async () => {
    const { id } = await issue('limited');
    for (const [option, limit, shown] of [
      ['--minute', '77', '77 +20000'],
      ['--day', '88', '77 +88'],
    ]) {
      expect((await run('keys', 'limit', id, option, limit)).code).toBe(0);
      const { out } = await run('keys', 'list', '--partner', 'demo');
      expect(out).toMatch(new RegExp(`${id}.* ${shown} `));
    }
    expect((await run('keys', 'limit', id)).code).toBe(1);
  });

  it.each([
    ['There is no partner unknown.', ...issued('x', { partner: 'unknown' })],
    ['There is no scope all', ...issued('x', { scopes: 'all' })],
    ['There is no product ONLINE_SILVER', ...issued('x', { products: 'ONLINE_SILVER' })],
    ['There is no key key_nothing.', 'keys', 'suspend', 'key_nothing'],
    ['There is no partner unknown.', 'partners', 'suspend', 'unknown'],
    ['There is no failed refund rfd_of_nobody.', 'refunds', 'retry', 'rfd_of_nobody'],
  ])('what does not exist is refused: %s', async (sentence, ...parameters) => {
    const { code, error } = await run(...parameters);
    expect([code, error]).toEqual([1, expect.stringContaining(sentence)]);
  });
});

it('partners are listed, suspended and resumed', async () => {
  expect((await run('partners', 'suspend', 'demo')).out).toBe('OK: partner demo is suspended.');
  expect((await run('partners', 'list')).out).toMatch(/^demo .* SUSPENDED \(by command\)/m);
  expect((await run('partners', 'resume', 'demo')).out).toBe('OK: partner demo is active.');
});

it.each([
  [2, []],
  [2, ['keys', 'issue']],
  [2, ['keys', 'list', '--everything']],
  [2, ['keys', 'limit', 'key_1', '--minute', 'many']],
  [2, ['partners', 'suspend', 'demo', 'limited']],
  [0, ['--help']],
])('exits with %i after %j', async (code, parameters) => {
  expect((await run(...parameters)).code).toBe(code);
});

describe('around a command', () => {
  it('a service has its operator’s port open, and the command needs none', async () => {
    const operator = createServer().listen(0, '127.0.0.1');
    await once(operator, 'listening');
    const { port } = operator.address() as AddressInfo;
    const environment = { OPERATOR_PORT: String(port) };
    const { out } = await runAdminWith(environment, database.url, 'partners', 'list');
    operator.close();
    expect(out).toContain('Demonstration Partner');
  });

  it('a database that is away is reported in one sentence', async () => {
    const { code, error } = await runAdmin('postgres://x:y@127.0.0.1:9/none', 'partners', 'list');
    expect(code).toBe(1);
    expect(error).toBe('Error: The database cannot be reached: connect ECONNREFUSED 127.0.0.1:9');
  });

  it('every error of an environment is printed', async () => {
    const { code, error } = await runCommand(['config', 'check'], {
      MODE: 'production',
      PORT: 'x',
    });
    expect(code).toBe(1);
    expect(error).toContain('MASTER_KEY is required in production');
    expect(error).toContain('PORT must be');
  });
});
