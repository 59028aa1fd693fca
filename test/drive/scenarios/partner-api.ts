import { randomUUID } from 'node:crypto';
import { applyForInstantLoan } from '../../support/instant-loans.ts';
import { BANK_ACCOUNT, loanRequest, shortLoanRequest } from '../../support/loan-requests.ts';
import type { CallOptions } from '../../support/partner-client.ts';
import { sandboxCredentials } from '../../support/sandbox-credentials.ts';
import type { Drive, Scenario } from '../drive.ts';
import { JOURNEY_PRODUCTS } from '../lists.ts';
import { driveHeadless } from './headless.ts';

const LIMIT_A_MINUTE = 120;
const MANY_BYTES = 110_000;
const UNKNOWN = `jrn_${'0'.repeat(32)}`;

const keyOf = (drive: Drive, partner: string) => drive.partnerWith(sandboxCredentials(partner));

/** One of each kind of refusal: `test/e2e/contract` has every rule of every field. */
async function refusals(drive: Drive): Promise<void> {
  const { partner } = drive;
  const get = (options: CallOptions) => partner.get('/products', options);
  for (const name of ['x-api-key', 'x-timestamp', 'x-nonce', 'x-signature']) {
    await get({ headers: { [name]: null } });
  }
  await get({ bearer: true });
  await get({ overrides: { apiSecret: 'another' } });
  await get({ overrides: { timestamp: '1000000000' } });
  const nonce = randomUUID();
  for (let time = 0; time < 2; time += 1) await get({ overrides: { nonce } });
  await keyOf(drive, 'suspended').get('/products');
  const limited = keyOf(drive, 'limited');
  await limited.get('/webhooks');
  await limited.initiate(loanRequest({ productCode: 'ONLINE_SHORT_TERM' }));
  for (const body of ['{"mobile": ', '[]', '', {}, { note: 'x'.repeat(MANY_BYTES) }]) {
    await partner.initiate(body);
  }
  const { customer, ...body } = loanRequest();
  const empty = Object.keys(customer).map((name) => [name, '']);
  await partner.initiate({ ...body, customer: Object.fromEntries(empty), mobile: '12' });
  await partner.initiate(shortLoanRequest({ pan: 'abc', dob: '2020-01-01', pinCode: '000000' }));
  await partner.initiate(loanRequest({ productCode: 'OFFLINE_LAP' }));
  await partner.post('/instant-loans', {});
  await partner.get('/nothing');
  await partner.delete('/products');
  await partner.get('/leads?page=0&limit=1000&from=never&status=UNKNOWN');
  await partner.get('/events?limit=0&events=unknown&after=nothing');
  await partner.post('/sandbox/time', { advanceSeconds: -1 });
  for (const url of ['', 'ftp://partner.example', 'https://user:pass@partner.example']) {
    await partner.post('/webhooks', { url, events: ['unknown'] });
  }
}

async function states(drive: Drive): Promise<void> {
  const { partner } = drive;
  const mobile = drive.newMobile();
  const headers = { 'idempotency-key': randomUUID() };
  for (const loanAmount of [200_000, 200_000, 300_000]) {
    await partner.initiate(loanRequest({ mobile, loanAmount }), { headers });
  }
  const {
    journeyId: id,
    journeySession,
    last,
  } = await driveHeadless(drive, loanRequest({ mobile }), { until: 'SELECT_OFFER' });
  const act = (kind: string, payload: object, session: string | undefined = journeySession) =>
    partner.action(id, session, kind, payload);
  await partner.journey(UNKNOWN, journeySession);
  await partner.journey(id);
  await partner.journey(id, 'another');
  await act('SUBMIT_BANK_ACCOUNT', BANK_ACCOUNT);
  await act('SELECT_OFFER', { offerId: 'off_unknown' });
  await act('DANCE', {});
  const { offerId } = last.offers[0];
  await act('SELECT_OFFER', { offerId, loanAmount: 1 });
  await partner.returned(id, journeySession, 'KYC');
  await act('SELECT_OFFER', { offerId, loanAmount: 150_000 });
  await act('SELECT_OFFER', { offerId });
  for (let time = 0; time < 2; time += 1) {
    await partner.returned(id, journeySession, 'KYC');
    await drive.settle();
  }
  await act('SUBMIT_BANK_ACCOUNT', { accNo: '1', ifscCode: 'NO', acctype: 'GOLD' });
  const hosted = await partner.initiate(loanRequest({ mobile, channel: 'API_HOSTED' }));
  await partner.journey(hosted.json.data.journeyId);
  await partner.action(hosted.json.data.journeyId, undefined, 'SELECT_OFFER', { offerId });
  const loan = await applyForInstantLoan(partner, { mobile, pan: 'SANDX0001A' }, randomUUID());
  await drive.settle();
  const payment = `/sandbox/instant-loans/${loan.json.data.applicationId}/payment`;
  await partner.post(payment, { outcome: 'PAID' });
  await partner.get('/leads/app_unknown/status');
}

async function leads(drive: Drive): Promise<void> {
  const { partner } = drive;
  const from = `from=${encodeURIComponent(drive.startsAt.toISOString())}`;
  for (const productCode of JOURNEY_PRODUCTS) {
    const request = loanRequest({ productCode, mobile: drive.newMobile() });
    const { json } = await partner.initiate(request);
    await drive.settle();
    await partner.get(`/leads/${json.data.applicationId}/status`);
    await partner.get(`/leads?journeyId=${json.data.journeyId}`);
  }
  await applyForInstantLoan(partner, { mobile: drive.newMobile() });
  await drive.settle();
  for (const more of [
    '',
    '&limit=2',
    '&limit=2&page=2',
    '&loanType=Personal',
    '&status=OFFERS_RECEIVED',
  ]) {
    await partner.get(`/leads?${from}${more}`);
  }
}

async function tooMany(drive: Drive): Promise<void> {
  const unrecorded = drive.partnerWith(sandboxCredentials('demo', 'demo'), () => undefined);
  for (let call = 0; call < LIMIT_A_MINUTE; call += 1) await unrecorded.get('/products');
  await drive.partnerWith(sandboxCredentials('demo', 'demo')).get('/products');
}

export const PARTNER_API: readonly Scenario[] = [
  { name: 'api/products', play: async ({ partner }) => void (await partner.get('/products')) },
  { name: 'api/leads', play: leads },
  { name: 'api/refusals', play: refusals },
  { name: 'api/states', play: states },
  { name: 'api/rate-limit', play: tooMany },
];
