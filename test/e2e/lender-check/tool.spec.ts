import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compactVerify, importJWK, type JWK } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { NotRun } from '../../../examples/lender-check/case.ts';
import { replayRefused } from '../../../examples/lender-check/cases/request-signatures.ts';
import { Checks } from '../../../examples/lender-check/checks.ts';
import type { Kit } from '../../../examples/lender-check/loan/kit.ts';
import type { Sent } from '../../../examples/lender-check/loan/restart.ts';
import { junitReport } from '../../../examples/lender-check/report/junit.ts';
import { terminalReport } from '../../../examples/lender-check/report/terminal.ts';
import { runCommand } from '../../../examples/lender-check/restart-command.ts';
import { freePort } from '../../support/free-port.js';
import { check } from '../../broken-lenders/stage.js';

const MAIN = fileURLToPath(new URL('../../../examples/lender-check/main.ts', import.meta.url));

describe('the tool at the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-lender-check-tool-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(...args: string[]): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [MAIN, ...args], (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : 0;
        resolve({ code, output: stdout + stderr });
      });
    });
  }

  it('runs the restart command in a shell, and ends one that takes too long with all that it runs', async () => {
    const file = join(folder, 'restarted');
    await runCommand(`cd ${folder} && echo done > restarted`);
    expect(readFileSync(file, 'utf8')).toBe('done\n');
    const failed = new NotRun('the restart command ended with 3');
    await expect(runCommand('exit 3')).rejects.toThrow(failed);
    const late = new NotRun('the restart command was ended: it took longer than 0.3 s');
    await expect(runCommand(`sleep 30 & echo $! > ${file}; wait`, 0.3)).rejects.toThrow(late);
    const pid = readFileSync(file, 'utf8').trim();
    const isRunning = () => {
      const stat = `/proc/${pid}/stat`;
      return existsSync(stat) && !readFileSync(stat, 'utf8').includes(') Z ');
    };
    await expect.poll(isRunning).toBe(false);
  });

  it('fails a lender that is not there, and writes its reports', async () => {
    const port = await freePort();
    const [junit, json, keyFile] = ['junit.xml', 'report.jws', 'keys.json'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const nowhere = `http://127.0.0.1:${port}`;
    const { code } = await run(
      '--url',
      nowhere,
      '--jwks',
      `${nowhere}/jwks.json`,
      '--only',
      'RLP-001',
      '--callback-port',
      '0',
      '--junit',
      junit,
      '--json',
      json,
      '--key-file',
      keyFile,
    );
    expect(code).toBe(1);
    expect(readFileSync(junit, 'utf8')).toContain('tests="1" failures="1"');
    const { keys } = JSON.parse(readFileSync(keyFile, 'utf8')) as { keys: JWK[] };
    const { d: _private, ...publicJwk } = keys[0];
    const key = await importJWK(publicJwk, 'EdDSA');
    const { payload } = await compactVerify(readFileSync(json, 'utf8').trim(), key);
    const report = JSON.parse(Buffer.from(payload).toString('utf8')) as { counts: unknown };
    expect(report.counts).toEqual({ passed: 0, failed: 1, notRun: 0 });
  });
});

describe('what could not be run', () => {
  it('is reported as not run, and never as passed', async () => {
    const outcome = await check({
      only: ['RLP-088', 'RLP-100', 'RLP-113'],
      waitSeconds: 0,
      profile: ({ pages: _driven, expiring: _none, ...profile }) => ({
        ...profile,
        notRun: { 'RLP-088': 'our offers stand for a week' },
      }),
    });
    const standing = outcome.results.map(({ id, status }) => [id, status]);
    expect(standing).toEqual([
      ['RLP-088', 'NOT_RUN'],
      ['RLP-100', 'NOT_RUN'],
      ['RLP-113', 'PASSED'],
    ]);
    expect(outcome.unexplained.map(({ id }) => id)).toEqual(['RLP-100']);
    expect(terminalReport(outcome)).toContain('our offers stand for a week');
    expect(junitReport(outcome)).toContain('skipped="2"');
  });

  it('names a replay whose signature has become too old to be judged by its jti', async () => {
    const sent = {
      question: {},
      exchange: { status: 200, sentSignature: 'x', askedAt: new Date(Date.now() - 281_000) },
    } as unknown as Sent;
    const kit = { ask: () => Promise.resolve({ status: 401 }) } as unknown as Kit;
    await expect(replayRefused(kit, new Checks(), sent, 'a replay')).rejects.toThrow(NotRun);
  });
});
