import { randomUUID } from 'node:crypto';
import { applyForInstantLoan } from '../../support/instant-loans.ts';
import { BANK_ACCOUNT, loanRequest, shortLoanRequest } from '../../support/loan-requests.ts';
import { type CallOptions, PARTNER_PREFIX } from '../../support/partner-client.ts';
import { sandboxCredentials } from '../../support/sandbox-credentials.ts';
import type { Drive, Scenario } from '../drive.ts';
import { JOURNEY_PRODUCTS } from '../lists.ts';
import { driveHeadless } from './headless.ts';

const LIMIT_A_MINUTE = 120;
const MANY_BYTES = 110_000;
const UNKNOWN = `jrn_${'0'.repeat(32)}`;

const keyOf = (drive: Drive, partner: string) => drive.partnerWith(sandboxCredentials(partner));

async function credentials(drive: Drive): Promise<void> {
  const { partner } = drive;
  const get = (options: CallOptions) => partner.get('/products', options);
  for (const name of ['x-api-key', 'x-timestamp', 'x-nonce', 'x-signature']) {
    await get({ headers: { [name]: null } });
    await get({ headers: { [name]: 'no' } });
  }
  await get({ bearer: true });
  await get({ overrides: { apiSecret: 'another' } });
  await get({ overrides: { apiKey: `${sandboxCredentials('demo').apiKey}x` } });
  await get({ overrides: { timestamp: '1000000000' } });
  await get({ overrides: { signedTarget: `${PARTNER_PREFIX}/leads` } });
  const nonce = randomUUID();
  for (let time = 0; time < 2; time += 1) await get({ overrides: { nonce } });
  await keyOf(drive, 'suspended').get('/products');
  const limited = keyOf(drive, 'limited');
  for (const path of ['/products', '/webhooks', '/events']) await limited.get(path);
  await limited.initiate(loanRequest({ productCode: 'ONLINE_SHORT_TERM' }));
}

/** Bodies and addresses that are malformed or break a rule. */
async function bodies(drive: Drive): Promise<void> {
  const { partner } = drive;
  const body = loanRequest();
  const initiate = (sent: unknown, options?: CallOptions) => partner.initiate(sent, options);
  await initiate('{"mobile": ');
  await initiate('[]');
  await initiate('');
  await initiate({ ...body, note: 'x'.repeat(MANY_BYTES) });
  await initiate('no', { headers: { 'content-encoding': 'gzip' } });
  await initiate('no', { headers: { 'content-type': 'text/plain; charset=utf-16' } });
  await initiate({});
  await initiate({
    channel: 'API_HEADLESS',
    productCode: 'ONLINE_GOLD',
    customer: { fullName: '' },
  });
  for (const [name, value] of Object.entries({ mobile: '12', loanAmount: 1, channel: 'FAX' })) {
    await initiate({ ...body, [name]: value });
  }
  for (const name of Object.keys(body.customer)) {
    await initiate(loanRequest({ customer: { [name]: '' } }));
    await initiate(loanRequest({ customer: { [name]: 7 } }));
  }
  await initiate(loanRequest({ customer: { dob: '2020-01-01', pan: 'abc', pinCode: '000000' } }));
  for (const name of Object.keys(shortLoanRequest().customer)) {
    await initiate(shortLoanRequest({ [name]: '' }));
  }
  await initiate({ ...body, productCode: 'ONLINE_UNKNOWN' });
  await initiate({ ...body, productCode: 'OFFLINE_LAP' });
  await initiate({
    ...loanRequest({ productCode: 'ONLINE_GOLD' }),
    goldLoanDetails: { grams: '0' },
  });
  await partner.post('/instant-loans', {});
  await partner.post('/instant-loans', { mobile: '1', customer: { pan: 'x' }, loanAmount: 'many' });
  await partner.get('/nothing');
  await partner.delete('/products');
  await partner.get('/products', { headers: { 'x-long': 'x'.repeat(20_000) } });
  await partner.request('GET', `${PARTNER_PREFIX}/%zz`);
  await partner.get('/leads?page=0&limit=1000&from=never&status=UNKNOWN');
  await partner.get('/events?limit=0&events=unknown&after=nothing');
  await partner.post('/sandbox/time', { advanceSeconds: -1 });
  await partner.post('/sandbox/time', { to: '2020-01-01T00:00:00Z' });
  await partner.post('/sandbox/time', {});
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
  await act('SELECT_OFFER', {});
  await act('DANCE', {});
  const { offerId } = last.offers[0];
  await act('SELECT_OFFER', { offerId, loanAmount: 1 });
  await partner.returned(id, journeySession, 'KYC');
  await act('SELECT_OFFER', { offerId, loanAmount: 150_000 });
  await act('SELECT_OFFER', { offerId });
  await partner.returned(id, journeySession, 'DANCE');
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
  await partner.post(payment, { outcome: 'MAYBE' });
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
  { name: 'api/credentials', play: credentials },
  { name: 'api/bodies', play: bodies },
  { name: 'api/states', play: states },
  { name: 'api/rate-limit', play: tooMany },
];
