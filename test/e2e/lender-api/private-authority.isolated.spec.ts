// Isolated: applies another configuration.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runAdmin } from '../../support/admin-command.js';
import { configurationWith } from '../../support/configuration-with.js';
import { readJourney, startJourney } from '../../support/journey-driver.js';
import { eventually } from '../../support/eventually.js';
import { partnerClient } from '../../support/partner-client.js';
import { ReferenceLenders, remoteSection, shippedTerms } from '../../support/reference-lenders.ts';
import { startService, type OwnService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';

// The lender's certificate is of an authority that only this deployment trusts, as with
// NODE_EXTRA_CA_CERTS, and it asks for one of ours of the same authority.

const LENDER = 'navdhara';
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

describe('a lender of a private authority, which asks for a client certificate', () => {
  it('is asked, with the certificate that is configured for it', async () => {
    trustTheAuthority();
    const started = await start('rinpath');
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

  it('is not spoken to while the authority is not trusted', async () => {
    const { code, error } = await ping(await start('rinpath'));
    expect([code, error]).toEqual([1, expect.stringContaining('no answer: TLS')]);
    expect((await lenders!.books()).questions).toEqual([]);
  });
});
