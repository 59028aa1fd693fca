import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EnvironmentError, parseEnvironment } from './environment.js';

const MASTER_KEY = 'prod:OOb5l248rr6xNZYL5OSQfoKIbqsM1CpcCjdczcdo2SY=';
const PRODUCTION = {
  MODE: 'production',
  BASE_URL: 'https://loans.example.com',
  MASTER_KEY,
  DATABASE_URL: 'postgres://u:p@db/rinpath',
};

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'rinpath-environment-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

function problemsOf(variables: Record<string, string>): string[] {
  try {
    parseEnvironment({ DATA_DIR: dataDir, ...variables });
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
  return [];
}

describe('a new user', () => {
  it('needs to set nothing', () => {
    const environment = parseEnvironment({ DATA_DIR: dataDir });
    expect(environment).toMatchObject({
      mode: 'sandbox',
      port: 3000,
      baseUrl: 'http://localhost:3000',
      isLoopback: true,
      databaseUrl: undefined,
      trustProxy: false,
      privateNetworks: [],
      sandboxOpen: false,
      sandboxLatencyPercent: 100,
      logLevel: 'info',
      isTerminal: false,
    });
    expect(environment.configFile).toMatch(/\/config\/sandbox\.yaml$/);
    expect(Object.isFrozen(environment)).toBe(true);
  });

  it('gets a master key that is made once and that only its owner reads', () => {
    const first = parseEnvironment({ DATA_DIR: join(dataDir, 'new') });
    const second = parseEnvironment({ DATA_DIR: join(dataDir, 'new') });
    expect(second.masterKeys).toEqual(first.masterKeys);
    const file = join(dataDir, 'new', 'master-key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^sandbox:/);
  });
});

describe('the operator’s port', () => {
  it('is on loopback, whatever HOST is, unless an interface is named', () => {
    const variables = { DATA_DIR: dataDir, OPERATOR_PORT: '9464', HOST: '0.0.0.0' };
    expect(parseEnvironment(variables)).toMatchObject({
      operatorPort: 9_464,
      operatorHost: '127.0.0.1',
    });
    expect(parseEnvironment({ ...variables, OPERATOR_HOST: '10.1.2.3' })).toMatchObject({
      operatorPort: 9_464,
      operatorHost: '10.1.2.3',
    });
  });
});

describe('each variable that is wrong is named', () => {
  it.each([
    ['MODE', 'staging'],
    ['PORT', '70000'],
    ['OPERATOR_PORT', '65536'],
    // The default of PORT.
    ['OPERATOR_PORT', '3000'],
    ['BASE_URL', 'ftp://loans.example.com'],
    ['BASE_URL', 'https://loans.example.com/api'],
    ['BASE_URL', 'https://a..example'],
    ['BASE_URL', 'https://user:secret@loans.example.com'],
    ['DATABASE_URL', 'mysql://db/rinpath'],
    ['DATABASE_NAMED_STATEMENTS', 'no'],
    ['DATABASE_LOSS_ACCEPTED', 'yes'],
    ['DATABASE_POOL', '1'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/8,everybody'],
    ['TRUST_PROXY', '99'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '0.0.0.0/1,128.0.0.0/1'],
    ['TRUST_PROXY', '::ffff:0:0/96'],
    ['TRUST_PROXY', '::/16'],
    ['PRIVATE_NETWORKS', '0.0.0.0/0'],
    ['LOG_LEVEL', 'loud'],
    ['SANDBOX_OPEN', 'yes'],
    ['SANDBOX_LATENCY_PERCENT', '101'],
    ['MASTER_KEY', 'k1:c2hvcnQ='],
  ])('%s=%s', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} must `));
  });

  it('all of them at once, and never a value', () => {
    const wrong = {
      MODE: 'secret-1',
      PORT: 'secret-2',
      BASE_URL: 'https://u:secret-3@x',
      DATABASE_URL: 'secret-4://u:secret-5@db',
      TRUST_PROXY: 'secret-6',
      MASTER_KEY: 'secret-7',
    };
    const { message } = new EnvironmentError(problemsOf(wrong));
    expect(message).not.toContain('secret');
    expect(message.split('\n')).toHaveLength(1 + Object.keys(wrong).length);
    for (const name of Object.keys(wrong)) expect(message).toContain(`- ${name} must`);
  });

  it('a data folder that cannot be used, and a master key file that was damaged', () => {
    writeFileSync(join(dataDir, 'file'), '');
    expect(problemsOf({ DATA_DIR: join(dataDir, 'file') })).toEqual([
      expect.stringMatching(/^DATA_DIR must be a directory that the service can read and write: /),
    ]);
    writeFileSync(join(dataDir, 'master-key'), 'sandbox:garbage');
    expect(problemsOf({})).toEqual([
      expect.stringMatching(/^DATA_DIR has a damaged master-key file; restore the original: /),
    ]);
  });
});

describe('production', () => {
  it('makes no master key automatically and asks for its own address', () => {
    expect(problemsOf({ MODE: 'production' })).toEqual([
      'BASE_URL is required in production',
      'DATABASE_URL is required in production: a postgres:// URL, or embedded for the database in DATA_DIR',
      'MASTER_KEY is required in production',
    ]);
  });

  it('takes the embedded database by its word alone', () => {
    expect(problemsOf({ ...PRODUCTION, DATABASE_URL: '' })).toEqual([
      expect.stringMatching(/^DATABASE_URL is required in production/),
    ]);
    const embedded = parseEnvironment({ ...PRODUCTION, DATABASE_URL: 'embedded' });
    expect(embedded.databaseUrl).toBeUndefined();
  });

  it.each([
    'http://loans.example.com',
    'http://127.0.0.1:3000',
    'https://localhost',
    'https://127.8.8.8:8443',
    'https://[::1]:3000',
  ])('is not served at %s', (address) => {
    expect(problemsOf({ ...PRODUCTION, BASE_URL: address })).toEqual([
      'BASE_URL must be an https URL in production, not on loopback',
    ]);
  });
});

describe('proxies that are believed', () => {
  it.each([
    ['1', 1],
    ['false', false],
    ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
    ['2001:db8::1,uniquelocal', '2001:db8::1,uniquelocal'],
    ['104.16.0.0/13,172.16.0.1', '104.16.0.0/13,172.16.0.1'],
  ])('TRUST_PROXY=%s', (text, expected) => {
    expect(parseEnvironment({ DATA_DIR: dataDir, TRUST_PROXY: text }).trustProxy).toBe(expected);
    expect(() => express().set('trust proxy', expected)).not.toThrow();
  });
});

describe('the mail server', () => {
  const SMTP_URL = 'smtps://user:secret@mail.example:465';
  const MAIL_FROM = 'Loan alerts <alerts@rinpath.example>';

  it.each([
    'https://mail.example',
    'smtps://mail.example/box',
    'smtps://-a.example',
    'mail.example',
    '',
  ])('is not %s', (text) => {
    expect(problemsOf({ SMTP_URL: text, MAIL_FROM })).toEqual([
      'SMTP_URL must be an smtps:// or smtp:// URL with a host and no path',
    ]);
  });

  it.each(['Rinpath', '', 'a@b.example\r\nBcc: c@d.example', 'A <a@b.example>, B <c@d.example>'])(
    'does not send from %j',
    (text) => {
      expect(problemsOf({ SMTP_URL, MAIL_FROM: text })).toEqual([
        'MAIL_FROM must be an e-mail address, or "Name <address>"',
      ]);
    },
  );
});
