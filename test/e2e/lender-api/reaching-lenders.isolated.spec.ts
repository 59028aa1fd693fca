// Isolated: its configuration has a lender outside the process.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parse } from 'yaml';
import { LenderClient, publicJwkOf } from '../../../src/lender-api/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { configurationWith } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { readJourney, startJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import { ReferenceLenders, remoteSection, shippedTerms } from '../../support/reference-lenders.ts';
import { type OwnService, startService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { errorBody, testKey } from '../../support/small-lender.js';
import { CLIENT_CERTIFICATE, SERVER_CERTIFICATE } from '../../support/test-certificates.js';
import { LENDER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';

describe('reaching a lender', () => {
  let bench: RemoteLenderBench | undefined;

  afterEach(async () => {
    await bench?.close();
    bench = undefined;
  });

  const DECLINED = { answerId: 'answer-1', verdict: 'DECLINED', reason: 'POLICY' };

  function ask({ gateway }: RemoteLenderBench) {
    return gateway.ask({
      lenderCode: LENDER,
      kind: 'OFFERS',
      partnerId: 'demo',
      subjectId: 'jrn_1',
      reference: '1',
      attemptsBefore: 0,
      askedAt: new Date(),
      payload: PAYLOAD,
    });
  }

  describe('over TLS', () => {
    const trusted = tls.getCACertificates('default');

    afterEach(() => tls.setDefaultCACertificates(trusted));

    it('a lender is shown the client certificate that is configured for it', async () => {
      tls.setDefaultCACertificates([...trusted, SERVER_CERTIFICATE.certificate]);
      bench = await RemoteLenderBench.open(
        ({ jwk }) => ({ keys: [jwk], tls: CLIENT_CERTIFICATE }),
        {
          key: SERVER_CERTIFICATE.privateKey,
          cert: SERVER_CERTIFICATE.certificate,
          ca: CLIENT_CERTIFICATE.certificate,
          requestCert: true,
          rejectUnauthorized: true,
        },
      );
      bench.lender.answer(() => ({ body: DECLINED }));
      await expect(ask(bench)).resolves.toMatchObject({ status: 'ANSWERED' });
      expect(bench.lender.questions[0]).toMatchObject({ shownName: 'rinpath' });
      const [row] = await bench.query<{ remote: string; sealed: string }>(
        `SELECT remote::text AS remote, client_key_sealed AS sealed FROM lenders WHERE code = $1`,
        [LENDER],
      );
      expect(row.remote).not.toContain('PRIVATE KEY');
      expect(row.sealed).toMatch(/^v1:test:/);
    });

    it('a lender whose certificate nobody vouches for is not asked', async () => {
      bench = await RemoteLenderBench.open(undefined, {
        key: SERVER_CERTIFICATE.privateKey,
        cert: SERVER_CERTIFICATE.certificate,
      });
      await expect(ask(bench)).rejects.toThrow(
        'no answer: TLS, the certificate is self-signed, and not trusted here',
      );
      expect(bench.lender.questions).toHaveLength(0);
    });
  });

  describe('a lender that changes its key and keeps the name', () => {
    it('is understood and logged at the next answer, and ping names the keys that it has read', async () => {
      onTestFinished(() => void vi.restoreAllMocks());
      const warned = vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
      bench = await RemoteLenderBench.open(({ address }) => ({
        jwks: address.replace('/rlp', '/jwks.json'),
      }));
      const { lender, service } = bench;
      const client = service.get<LenderClient>(LenderClient);
      const configured = await bench.configured();
      const askLoan = () => client.askLoan(configured, 'LOAN-1');
      const body = { answerId: 'a', verdict: 'NOT_FOUND' };
      lender.answer(() => ({ body }));
      expect(await askLoan()).toMatchObject({ kind: 'VERDICT' });
      const key = testKey(lender.key.kid);
      lender.publish(publicJwkOf(key));
      lender.answer(() => ({ body, signedAs: { key } }));
      const now = performance.now.bind(performance);
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_001);
      expect(await askLoan()).toMatchObject({ kind: 'VERDICT' });
      expect(lender.fetches()).toBe(2);
      expect(warned.mock.calls).toEqual([
        [{ lender: LENDER, kid: key.kid }, 'The lender has changed a key and kept its kid'],
      ]);
      const ping = await runAdmin(service.databaseUrl, 'lenders', 'ping', LENDER);
      expect(ping.out).toMatch(new RegExp(`read now: ${key.kid} \\(thumbprint [\\w-]{43}\\)`));
      expect(lender.fetches()).toBe(3);
    });
  });

  describe('lenders ping', () => {
    it('says that both sides understand each other, or what is in the way', async () => {
      bench = await RemoteLenderBench.open();
      const { lender, service } = bench;
      const ping = (code = LENDER) => runAdmin(service.databaseUrl, 'lenders', 'ping', code);
      lender.answer(() => ({ body: { answerId: 'a', verdict: 'NOT_FOUND' } }));
      const understood = await ping();
      expect(understood).toMatchObject({ code: 0, error: '' });
      expect(understood.out).toContain('It knows no such loan, as it should');
      const [got] = lender.questions;
      expect(got).toMatchObject({ path: '/loans/rinpath-ping', text: '' });
      expect(got.refused).toBeUndefined();
      expect(got.headers).not.toHaveProperty('idempotency-key');

      lender.answer(() => ({ status: 401, body: errorBody('signature_refused') }));
      expect(await ping()).toMatchObject({
        code: 1,
        error: expect.stringMatching(
          /answered 401: signature_refused.* It must reach this service’s keys at /,
        ) as string,
      });
      expect(await ping('nobody')).toMatchObject({
        code: 1,
        error: 'There is no lender nobody in the configuration.',
      });
      expect(await ping('kaverisetu')).toMatchObject({ code: 1 });
    });
  });
});

describe('a lender of a private authority, which asks for a client certificate', () => {
  // The lender's certificate is of an authority that only this deployment trusts, as with
  // NODE_EXTRA_CA_CERTS, and it asks for one of ours of the same authority.

  const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-authority-'));
  const trusted = tls.getCACertificates('default');
  const path = (name: string) => join(folder, name);
  const pem = (name: string) => readFileSync(path(name), 'utf8');

  const openssl = (...parameters: string[]) =>
    execFileSync('openssl', parameters, { stdio: 'ignore', cwd: folder });

  function makeAuthority(name: string): void {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    openssl('req', '-x509', ...EC, '-days', '2', '-subj', `/CN=${name}`, ...files);
  }

  /** A certificate of an authority of ours: `NAME.pem` and `NAME.key`. */
  function makeCertificate(name: string, authority: string, host: string): void {
    const request = ['-keyout', `${name}.key`, '-out', `${name}.csr`];
    openssl('req', ...EC, '-subj', `/CN=${host}`, ...request);
    writeFileSync(path(`${name}.ext`), `subjectAltName=DNS:${host}\n`);
    const by = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial'];
    const files = ['-in', `${name}.csr`, '-extfile', `${name}.ext`, '-out', `${name}.pem`];
    openssl('x509', '-req', '-days', '2', ...by, ...files);
  }

  let port: number;
  let lenders: ReferenceLenders | undefined;
  let service: OwnService | undefined;

  beforeAll(async () => {
    makeAuthority('authority');
    makeAuthority('stranger');
    makeCertificate('lender', 'authority', 'localhost');
    makeCertificate('rinpath', 'authority', 'rinpath');
    makeCertificate('forged', 'stranger', 'rinpath');
    port = await ReferenceLenders.port();
  });

  afterEach(async () => {
    tls.setDefaultCACertificates(trusted);
    await service?.close();
    await lenders?.stop();
    service = undefined;
    lenders = undefined;
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** @param shown whose certificate we show; null: none */
  async function start(shown: string | null): Promise<OwnService> {
    const certificate = shown && {
      tls: { certificate: pem(`${shown}.pem`), privateKey: pem(`${shown}.key`) },
    };
    const { lenders: shipped } = parse(shippedConfiguration()) as { lenders: { code: string }[] };
    const remote = { ...remoteSection(port, LENDER, { isTls: true }), ...certificate };
    const configuration = configurationWith({
      lenders: shipped.map((one) =>
        one.code === LENDER ? { ...one, adapter: 'rlp', kind: 'NBFC', remote } : one,
      ),
    });
    service = await startService({ configFile: configuration.file });
    configuration.remove();
    lenders = await ReferenceLenders.start({
      rinpathUrl: service.baseUrl,
      port,
      lenders: shippedTerms(),
      tls: {
        certificate: path('lender.pem'),
        key: path('lender.key'),
        clientAuthority: path('authority.pem'),
      },
    });
    return service;
  }

  const trustTheAuthority = () => tls.setDefaultCACertificates([...trusted, pem('authority.pem')]);
  const ping = ({ databaseUrl }: OwnService) => runAdmin(databaseUrl, 'lenders', 'ping', LENDER);

  it('is not spoken to while the authority is not trusted, then asked with the certificate that is configured for it', async () => {
    const started = await start('rinpath');
    const { code, error } = await ping(started);
    expect([code, error]).toEqual([1, expect.stringContaining('no answer: TLS')]);
    expect((await lenders!.books()).questions).toEqual([]);
    trustTheAuthority();
    expect(await ping(started)).toMatchObject({ code: 0, error: '' });
    const partner = partnerClient(started);
    const journey = await startJourney(partner);
    await eventually(
      async () => {
        const { state, offers } = await readJourney(partner, journey);
        expect([state, offers.length]).toEqual(['OFFERS_RECEIVED', 3]);
      },
      { withinMs: 30_000 },
    );
    const { applications } = await lenders!.books();
    expect(applications).toMatchObject([{ lender: LENDER, offers: 1 }]);
  });

  it.each([
    ['no certificate', null],
    ['a certificate of another authority', 'forged'],
  ])('answers nothing to who shows %s', async (_, shown) => {
    trustTheAuthority();
    const { code, error } = await ping(await start(shown));
    expect([code, error]).toEqual([1, expect.stringContaining('answered 403')]);
  });
});
