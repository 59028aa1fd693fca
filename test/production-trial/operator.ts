import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { plainEnvironment, ROOT } from '../support/needed-process.ts';
import type { Authority } from './certificates.ts';

export type Variables = Record<string, string>;

/** Creates roles and the database with the statements of docs/operators/going-live.md. */
export async function makeDatabase(serverUrl: string): Promise<string> {
  const document = readFileSync(join(ROOT, 'docs/operators/going-live.md'), 'utf8');
  const block = /```sql\n(.*?)```/s.exec(document)?.[1];
  if (!block) throw new Error('docs/operators/going-live.md has no statements for the database');
  const password = randomBytes(12).toString('hex');
  // The server's own role is named rinpath already.
  const sql = block.replaceAll("'…'", `'${password}'`).replaceAll('rinpath', 'trial');
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const statement of sql.split(';\n')) if (statement.trim()) await client.query(statement);
  } finally {
    await client.end();
  }
  const { hostname, port } = new URL(serverUrl);
  return `postgres://trial:${password}@${hostname}:${port}/trial`;
}

/** The environment file of docs/operators/going-live.md, as a shell reads it. */
export function environmentOf(folder: string, authority: Authority, plain: Variables): Variables {
  const client = authority.issue('client');
  const variables: Variables = {
    ...plain,
    MASTER_KEY: `k1:${randomBytes(32).toString('base64')}`,
    NODE_EXTRA_CA_CERTS: authority.certificate,
    SMS_GATEWAY_TOKEN: randomBytes(16).toString('hex'),
    RAZORPAY_KEY_ID: 'rzp_live_1234567890abcd',
    RAZORPAY_KEY_SECRET: randomBytes(16).toString('hex'),
    RAZORPAY_WEBHOOK_SECRET: randomBytes(16).toString('hex'),
    LENDER_RAZORPAY_KEY_ID: 'rzp_live_abcd1234567890',
    LENDER_RAZORPAY_KEY_SECRET: randomBytes(16).toString('hex'),
    LENDER_RAZORPAY_WEBHOOK_SECRET: randomBytes(16).toString('hex'),
    LENDER_CLIENT_CERTIFICATE: readFileSync(client.certificate, 'utf8'),
    LENDER_CLIENT_KEY: readFileSync(client.key, 'utf8'),
  };
  const file = join(folder, 'environment');
  const lines = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600 });
  const read = execFileSync('sh', ['-c', `set -a; . "${file}"; env -0`], {
    env: plainEnvironment(),
    encoding: 'utf8',
  });
  const pairs = read.split('\0').map((text) => text.split(/=(.*)/s));
  return Object.fromEntries(pairs.filter(([name = '']) => name in variables)) as Variables;
}

/** `npm run admin` with the production's environment. */
export class CommandLine {
  readonly #environment: Variables;

  constructor(environment: Variables) {
    this.#environment = environment;
  }

  /** @throws Error with the output if it does not exit with `wanted` */
  run(command: string, wanted = 0): string {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'dist/bundle/admin-main.js'), ...command.split(' ')],
      { cwd: ROOT, env: { ...plainEnvironment(), ...this.#environment }, encoding: 'utf8' },
    );
    const said = `${stdout}${stderr}`.trim();
    if (status !== wanted) throw new Error(`admin ${command} exits with ${status}: ${said}`);
    return said;
  }
}
