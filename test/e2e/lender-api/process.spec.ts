import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../examples/lender/settings.ts';
import { freePort } from '../../support/free-port.js';

const MAIN = fileURLToPath(new URL('../../../examples/lender/main.ts', import.meta.url));

describe('the reference lender as a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-lender-process-'));
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject, ...files], { stdio: 'ignore' });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function start(env: Record<string, string> = {}) {
    const port = await freePort();
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        LENDER_PORT: String(port),
        LENDER_ADMIN_PORT: '0',
        LENDER_DATABASE: join(folder, `${port}.sqlite`),
        RINPATH_ANSWERS: 'off',
        ...env,
      },
    });
    const chunks: Buffer[] = [];
    child.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr!.on('data', (chunk: Buffer) => chunks.push(chunk));
    const output = () => Buffer.concat(chunks).toString('utf8');
    const closed = once(child, 'close');
    await Promise.race([once(child, 'message'), closed]);
    const stop = async () => {
      child.kill('SIGTERM');
      await closed;
      return child.exitCode;
    };
    return { port, output, stop, closed, child };
  }

  function fetchOverTls(port: number, path: string): Promise<number | undefined> {
    const ca = readFileSync(certificate);
    return new Promise((resolve, reject) => {
      const options = { port, path, ca, host: 'localhost', agent: false };
      get(options, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once('error', reject);
    });
  }

  it('says what Rinpath’s configuration needs, speaks TLS, and asks for a certificate where questions are put', async () => {
    const tls = { LENDER_TLS_CERT: certificate, LENDER_TLS_KEY: key };
    const { port, output, stop } = await start({ ...tls, LENDER_TLS_CLIENT_CA: certificate });
    try {
      for (const code of ['navdhara', 'kaverisetu', 'tarangudyam'])
        expect(output()).toContain(`https://localhost:${port}/${code}/jwks.json`);
      expect(await fetchOverTls(port, '/navdhara/jwks.json')).toBe(200);
      expect(await fetchOverTls(port, '/navdhara/visits/x')).toBe(404);
      expect(await fetchOverTls(port, '/navdhara/loans/rinpath-ping')).toBe(403);
    } finally {
      expect(await stop()).toBe(0);
    }
  });

  it.each([
    [{ LENDER_PORT: 'x' }, 'LENDER_PORT is no port.'],
    [{ LENDER_TLS_CERT: certificate }, 'Set both LENDER_TLS_CERT and LENDER_TLS_KEY.'],
    [{ LENDER_PASSES_UNVISITED_STEPS: 'yes' }, 'LENDER_PASSES_UNVISITED_STEPS is on or off.'],
  ])('has no settings with %o', (env, message) => {
    expect(() => readSettings(env)).toThrow(message);
  });

  it('does not start without its file', async () => {
    const { output, closed, child } = await start({ LENDER_FILE: '/nowhere.json' });
    await closed;
    expect(child.exitCode).toBe(1);
    expect(output()).toContain('ENOENT');
  });
});
