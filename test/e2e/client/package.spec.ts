import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratchFolder } from '../../support/scratch-folder.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');

const PROGRAM = `
import { RinpathClient, RinpathError, verifyWebhook } from '@rinpath/client';
import type { Journey } from '@rinpath/client';
import { SANDBOX_PANS, webhookHeaders } from '@rinpath/client/testing';

const client = new RinpathClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'key', apiSecret: 'secret' });
const state: (journey: Journey) => string = ({ state }) => state;
const secret = 'whsec_' + Buffer.alloc(32, 1).toString('base64');
const body = JSON.stringify({ id: 'evt_1', event: 'journey.completed' });
const verified = verifyWebhook(body, webhookHeaders({ body, secret }), secret);
console.log(typeof client.listProducts, typeof state, RinpathError.name, SANDBOX_PANS.oneOffer, verified.id);
`;

/** The declarations that the README's examples assume. */
const AROUND_EXAMPLES = `
declare const order: { id: string };
declare const app: { post(path: string, ...handlers: unknown[]): void };
declare const express: { raw(options: object): unknown };
`;

/** The part of `openapi-fetch` that the middleware must match. */
const OPENAPI_FETCH = `
declare module 'openapi-fetch' {
  interface Call { schemaPath: string; readonly request: Request; readonly id: string }
  interface Middleware { onRequest(call: Call): void | Request | Response | undefined | Promise<Request | Response | undefined | void> }
  export default function createClient<Paths extends {}>(options: { baseUrl: string }): {
    use(...middleware: Middleware[]): void;
    GET<Path extends keyof Paths>(path: Path, call: object): Promise<{ data?: { data: { leads: object[] } }; error?: object }>;
  };
}
`;

const COMPILER = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];

let folder: string;

function run(file: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? stdout : `${status}: ${stdout}${stderr}`;
}

/** Runs `npm pack` in a checkout without a build; returns the package. */
function packed(): string {
  const checkout = join(folder, 'checkout');
  cpSync(join(ROOT, 'clients/node'), join(checkout, 'clients/node'), {
    recursive: true,
    filter: (path) => basename(path) !== 'dist',
  });
  cpSync(join(ROOT, 'package.json'), join(checkout, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  const cwd = join(checkout, 'clients/node');
  execFileSync('npm', ['pack', '--silent', '--offline'], { cwd, stdio: 'pipe' });
  return join(cwd, 'rinpath-client-0.1.0.tgz');
}

beforeAll(() => {
  folder = scratchFolder('client');
  const installed = join(folder, 'node_modules/@rinpath/client');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', packed(), '-C', installed, '--strip-components', '1']);
  mkdirSync(join(folder, 'node_modules/@types'));
  for (const types of ['@types/node', 'undici-types']) {
    symlinkSync(join(ROOT, 'node_modules', types), join(folder, 'node_modules', types));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is typed for a partner’s strict compiler, and runs with nothing else installed', () => {
  expect(run(TSC, ...COMPILER, 'program.ts')).toBe('');
  expect(run('program.js').trim()).toBe('function function RinpathError SANDX0003A evt_1');
});

it('has a command line', () => {
  const installed = 'node_modules/@rinpath/client';
  const { bin } = JSON.parse(readFileSync(join(folder, installed, 'package.json'), 'utf8')) as {
    bin: { rinpath: string };
  };
  const file = join(folder, installed, bin.rinpath);
  expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(run(file, 'trigger', '--list')).toContain('gold-loan-approved ');
});

it('compiles the examples of its README', () => {
  const text = readFileSync(join(ROOT, 'clients/node/README.md'), 'utf8');
  const examples = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
  expect(examples).toHaveLength(3);
  writeFileSync(join(folder, 'openapi-fetch.d.ts'), OPENAPI_FETCH);
  const files = examples.map((example, place) => {
    writeFileSync(join(folder, `example${place}.ts`), AROUND_EXAMPLES + example);
    return `example${place}.ts`;
  });
  expect(run(TSC, ...COMPILER, '--noImplicitAny', 'false', 'openapi-fetch.d.ts', ...files)).toBe(
    '',
  );
});
