// Isolated: starts commands on an empty database.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectPath } from '../../../src/platform/index.js';
import {
  runAdmin,
  runAdminWith,
  runCommand,
  runInProduction,
} from '../../support/admin-command.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

const directory = mkdtempSync(join(tmpdir(), 'rinpath-command-line-'));
const shipped = projectPath('config/sandbox.yaml');
const { version } = parse(readFileSync(shipped, 'utf8')) as { version: number };

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
  // The first command finds no schema yet, as on a new installation.
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

const ISSUE = [
  'keys',
  'issue',
  '--scopes',
  'leads:read, products:read',
  '--products',
  'ONLINE_GOLD',
];

async function issue(name: string): Promise<{ id: string; secret: string; apiKey: string }> {
  const { out } = await run(...ISSUE, '--partner', 'demo', '--name', name);
  const word = (label: string) => new RegExp(`^${label} +(\\S+)$`, 'm').exec(out)?.[1] ?? '';
  return { id: word('Key'), apiKey: word('API key'), secret: word('Secret') };
}

describe('config', () => {
  it('apply says whether there was anything to do', async () => {
    const { code, out } = await run('config', 'apply');
    expect({ code, out }).toEqual({
      code: 0,
      out: `${shipped} (version ${version}) was already in force.`,
    });
  });

  it('diff shows what apply then changes, changes nothing itself, and names who works outside the file', async () => {
    const own = await createEmptyDatabase();
    try {
      const given = parse(shippedConfiguration()) as { partners: { id: string; logo?: string }[] };
      const config = (verb: 'apply' | 'diff', file: string) =>
        runAdmin(own.url, 'config', verb, file);
      expect((await config('apply', shipped)).out).toMatch(
        /\n- the first configuration: products: \d/,
      );
      const file = join(directory, 'changed.yaml');
      const [first, ...others] = given.partners;
      const alertEmails = ['on-call@other.example'];
      const write = (changes: object) => {
        const partners = [{ ...first, logo: undefined, alertEmails, ...changes }];
        writeFileSync(file, JSON.stringify({ ...given, version: version + 1, partners }));
      };
      write({});
      const different = await config('diff', file);
      expect(different).toMatchObject({
        code: 0,
        out: expect.stringContaining(`Applying ${file} (version ${version + 1}) would change:\n`),
      });
      const lines = [
        `- configuration: fileVersion: ${version} → ${version + 1}`,
        expect.stringMatching(`^- partner ${first.id}: logo: "\\w{64}" → none$`),
        `- partner ${first.id}: alertEmails[0]: none → "${alertEmails[0]}"`,
        expect.stringMatching(`^Warning: the partner ${others[0].id} is not in the file: it still`),
        expect.stringMatching(`^Warning: alertEmails of ${first.id} get nothing if the service`),
      ];
      expect(different.out.split('\n')).toEqual(expect.arrayContaining(lines));
      const applied = await config('apply', file);
      expect(applied.out.split('\n').slice(1)).toEqual(different.out.split('\n').slice(1));
      expect((await config('diff', file)).out).toContain('would change nothing.');
      write({ returnUrl: 'https://third.example/back' });
      expect((await config('diff', file)).out).toContain(
        `Warning: version ${version + 1} is in force with other contents: raise version`,
      );
    } finally {
      await own.drop();
    }
  });

  it('check says that a file is right', async () => {
    expect(await run('config', 'check')).toEqual({
      code: 0,
      out: `${shipped} (version ${version}) is valid.`,
      error: '',
    });
  });

  it('check and apply exit with 1 and name every mistake', async () => {
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

describe('refunds', () => {
  it('retry refuses one that has not failed', async () => {
    expect(await run('refunds', 'retry', 'rfd_of_nobody')).toEqual({
      code: 1,
      out: '',
      error: 'There is no refund rfd_of_nobody that has failed.',
    });
  });
});

describe('config, in production', () => {
  const production = async (settings: object | undefined, verb: 'check' | 'apply') => {
    const own = await createEmptyDatabase();
    const file = join(directory, 'production.yaml');
    writeFileSync(file, productionConfiguration({ settings }));
    const { code, out, error } = await runInProduction(['config', verb, file], {
      DATABASE_URL: own.url,
      DATA_DIR: directory,
    });
    await own.drop();
    const lines = [...out.split('\n'), ...error.split('\n')];
    return { code, warnings: lines.filter((line) => line.startsWith('Warning: ')) };
  };

  it('check and apply warn of the sandbox’s polling, subscriptions and texts, and take them', async () => {
    const settings = {
      pollIntervalSeconds: 2,
      webhookSubscriptionsPerPartner: 200,
      textsPerMobilePerDay: 10_000,
    };
    for (const verb of ['check', 'apply'] as const) {
      expect(await production(settings, verb)).toEqual({
        code: 0,
        warnings: [
          'Warning: settings.pollIntervalSeconds is 2, as in the sandbox: production’s own is 5.',
          'Warning: settings.webhookSubscriptionsPerPartner is 200, as in the sandbox: production’s own is 20.',
          'Warning: settings.textsPerMobilePerDay is 10000, as in the sandbox: production’s own is 20.',
        ],
      });
    }
    const own = { pollIntervalSeconds: 5, webhookSubscriptionsPerPartner: 100 };
    expect(await production(own, 'check')).toEqual({ code: 0, warnings: [] });
  });
});

describe('keys', () => {
  it('issue shows the key and its secret, and nothing shows them again', async () => {
    const { id, apiKey, secret } = await issue('shown once');
    expect(apiKey).toMatch(/^rinpath_test_[0-9A-Za-z]{36}$/);
    expect(secret).toMatch(/^rinpath_secret_test_[\w-]{43}$/);
    const { code, out } = await run('keys', 'list', '--partner', 'demo');
    expect(code).toBe(0);
    expect(out).toContain(id);
    expect(out).toContain('leads:read products:read');
    expect(out).not.toContain(apiKey);
    expect(out).not.toContain(secret);
  });

  it('list shows one partner’s when asked to', async () => {
    const { out } = await run('keys', 'list', '--partner', 'limited');
    expect(out.split('\n')).toHaveLength(2);
    expect((await run('keys', 'list', '--partner', 'nobody')).out).toBe('(none)');
  });

  it('are suspended, resumed and revoked, each once', async () => {
    const { id } = await issue('in and out');
    const steps = [
      ['suspend', 0, `The key ${id} is suspended.`],
      ['suspend', 1, `The key ${id} is suspended already.`],
      ['resume', 0, `The key ${id} is active.`],
      ['resume', 1, `The key ${id} is not suspended.`],
      ['revoke', 0, `The key ${id} is revoked.`],
      ['revoke', 1, `The key ${id} is revoked, for good.`],
      ['resume', 1, `The key ${id} is revoked, for good.`],
    ] as const;
    for (const [verb, code, sentence] of steps) {
      const result = await run('keys', verb, id);
      expect({ code: result.code, text: result.out + result.error }).toEqual({
        code,
        text: sentence,
      });
    }
  });

  it('a revoked key’s name can be given again', async () => {
    const { id } = await issue('again');
    expect((await run(...ISSUE, '--partner', 'demo', '--name', 'again')).code).toBe(1);
    await run('keys', 'revoke', id);
    expect((await run(...ISSUE, '--partner', 'demo', '--name', 'again')).code).toBe(0);
  });

  it('limit changes what is given and leaves the other', async () => {
    const { id } = await issue('limited');
    expect((await run('keys', 'limit', id, '--minute', '77')).code).toBe(0);
    expect((await run('keys', 'list', '--partner', 'demo')).out).toMatch(
      new RegExp(`${id}.* 77 +20000 `),
    );
    expect((await run('keys', 'limit', id, '--day', '88')).code).toBe(0);
    expect((await run('keys', 'list', '--partner', 'demo')).out).toMatch(
      new RegExp(`${id}.* 77 +88 `),
    );
    expect((await run('keys', 'limit', id)).code).toBe(1);
  });

  it('cannot be issued to nobody, for nothing known, or under a name that is taken', async () => {
    const attempts: [string[], string][] = [
      [[...ISSUE, '--partner', 'nobody', '--name', 'x'], 'There is no partner nobody.'],
      [[...ISSUE, '--partner', 'demo', '--name', 'demo'], 'has a key named demo'],
      [
        ['keys', 'issue', '--partner', 'demo', '--name', 'x', '--scopes', 'all', '--products', 'X'],
        'There is no scope all',
      ],
      [
        [...ISSUE.slice(0, -1), 'ONLINE_SILVER', '--partner', 'demo', '--name', 'x'],
        'There is no product ONLINE_SILVER',
      ],
    ];
    for (const [parameters, sentence] of attempts) {
      const { code, error } = await run(...parameters);
      expect(code).toBe(1);
      expect(error).toContain(sentence);
    }
  });

  it('that do not exist are refused', async () => {
    expect(await run('keys', 'suspend', 'key_nothing')).toEqual({
      code: 1,
      out: '',
      error: 'There is no key key_nothing.',
    });
  });
});

describe('partners', () => {
  it('are listed, suspended and resumed', async () => {
    expect((await run('partners', 'suspend', 'demo')).out).toBe('The partner demo is suspended.');
    expect((await run('partners', 'list')).out).toMatch(/^demo .* SUSPENDED \(by command\)/m);
    expect((await run('partners', 'resume', 'demo')).out).toBe('The partner demo is active.');
    expect((await run('partners', 'suspend', 'nobody')).error).toBe('There is no partner nobody.');
  });
});

describe('used wrongly', () => {
  it.each([
    [[]],
    [['keys']],
    [['keys', 'issue']],
    [['keys', 'list', '--everything']],
    [['keys', 'limit', 'key_1', '--minute', 'many']],
    [['partners', 'suspend', 'demo', 'limited']],
  ])('%j exits with 2', async (parameters) => {
    expect((await run(...parameters)).code).toBe(2);
  });

  it('help is not a mistake', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    expect(out).toContain('config');
  });

  it('a command runs in the environment of a service that has its operator’s port open', async () => {
    const operator = createServer();
    operator.listen(0, '127.0.0.1');
    await once(operator, 'listening');
    const { port } = operator.address() as AddressInfo;
    const environment = { OPERATOR_PORT: String(port) };
    const { code, out } = await runAdminWith(environment, database.url, 'partners', 'list');
    operator.close();
    expect(out).toContain('Demonstration Partner');
    expect(code).toBe(0);
  });

  it('a database that is away is told in a sentence', async () => {
    const { code, error } = await runAdmin('postgres://x:y@127.0.0.1:9/none', 'partners', 'list');
    expect(code).toBe(1);
    expect(error).toBe('The database cannot be reached: connect ECONNREFUSED 127.0.0.1:9');
  });

  it('an environment that is not right is told in full', async () => {
    const { code, error } = await runCommand(['config', 'check'], {
      MODE: 'production',
      PORT: 'x',
    });
    expect(code).toBe(1);
    expect(error).toContain('MASTER_KEY is required in production');
    expect(error).toContain('PORT must be');
  });
});
