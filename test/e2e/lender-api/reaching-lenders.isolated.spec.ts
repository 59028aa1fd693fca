// Isolated: its configuration has a remote lender.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Database } from '../../../src/platform/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { configurationWith } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { readJourney, startJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import { ReferenceLenders, remoteSection, shippedTerms } from '../../support/reference-lenders.ts';
import { startService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';

const LENDER = 'navdhara';

describe('a lender of a private authority, which asks for a client certificate', () => {
  // The lender's certificate is of an authority that only this deployment trusts, as with NODE_EXTRA_CA_CERTS. The
  // lender requires a client certificate of the same authority.

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

  /** A certificate of one of the authorities: `NAME.pem` and `NAME.key`. */
  function makeCertificate(name: string, authority: string, host: string): void {
    const request = ['-keyout', `${name}.key`, '-out', `${name}.csr`];
    openssl('req', ...EC, '-subj', `/CN=${host}`, ...request);
    writeFileSync(path(`${name}.ext`), `subjectAltName=DNS:${host}\n`);
    const by = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial'];
    const files = ['-in', `${name}.csr`, '-extfile', `${name}.ext`, '-out', `${name}.pem`];
    openssl('x509', '-req', '-days', '2', ...by, ...files);
  }

  afterAll(() => {
    tls.setDefaultCACertificates(trusted);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is not spoken to while the authority is not trusted, then asked with the certificate that is configured for it', async () => {
    makeAuthority('authority');
    makeCertificate('lender', 'authority', 'localhost');
    makeCertificate('rinpath', 'authority', 'rinpath');
    const port = await ReferenceLenders.port();
    const { lenders: shipped } = parse(shippedConfiguration()) as { lenders: { code: string }[] };
    const shown = { certificate: pem('rinpath.pem'), privateKey: pem('rinpath.key') };
    const remote = { ...remoteSection(port, LENDER, { isTls: true }), tls: shown };
    const configuration = configurationWith({
      lenders: shipped.map((one) =>
        one.code === LENDER ? { ...one, adapter: 'rlp', kind: 'NBFC', remote } : one,
      ),
    });
    const service = await startService({ configFile: configuration.file });
    configuration.remove();
    const lenders = await ReferenceLenders.start({
      rinpathUrl: service.baseUrl,
      port,
      lenders: shippedTerms(),
      tls: {
        certificate: path('lender.pem'),
        key: path('lender.key'),
        clientAuthority: path('authority.pem'),
      },
    });
    try {
      const ping = () => runAdmin(service.databaseUrl, 'lenders', 'ping', LENDER);
      const { code, error } = await ping();
      expect([code, error]).toEqual([1, expect.stringContaining('no answer: TLS')]);
      expect((await lenders.books()).questions).toEqual([]);
      tls.setDefaultCACertificates([...trusted, pem('authority.pem')]);
      expect(await ping()).toMatchObject({ code: 0, error: '' });
      const partner = partnerClient(service);
      const journey = await startJourney(partner);
      await eventually(
        async () => {
          const { state, offers } = await readJourney(partner, journey);
          expect([state, offers.length]).toEqual(['OFFERS_RECEIVED', 3]);
        },
        { withinMs: 30_000 },
      );
      const { applications } = await lenders.books();
      expect(applications).toMatchObject([{ lender: LENDER, offers: 1 }]);
      const [row] = await service
        .get<Database>(Database)
        .query<{ remote: string; sealed: string }>(
          `SELECT remote::text AS remote, client_key_sealed AS sealed FROM lenders WHERE code = $1`,
          [LENDER],
        );
      expect(row.remote).not.toContain('PRIVATE KEY');
      expect(row.sealed).toMatch(/^v1:test:/);
    } finally {
      await service.close();
      await lenders.stop();
    }
  });
});
