// Isolated: searches every row of the database for the applicant's data.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { shortLoanRequest } from '../../support/loan-requests.js';
import { type OwnService, startService } from '../../support/service.js';
import { JourneyBench, type TestJourney } from './journey-bench.js';

// Values that resemble nothing else in the database.
const PERSON = {
  fullName: 'Zyxwella Quorntander',
  companyName: 'Quorntander Brassworks',
  addressL1: '7734 Vexing Lane',
  addressL2: 'Plinkettpur',
  udyamNumber: 'UDYAM-QQ-77-7711337',
};
const MOBILE = '9172635485';
const ACCOUNT = {
  accHolderName: 'Z Q Quorntander',
  accNo: '918273645546',
  ifscCode: 'QZQZ0918273',
};
const BAD_ACCOUNT = { ...ACCOUNT, accNo: '918273640000' };
const EMAIL = 'zyxwella@quorntander.example';

const SECRETS = [
  'zyxwella',
  'quorntander',
  'vexing lane',
  'plinkettpur',
  '7711337',
  MOBILE,
  '918273',
  'qzqz0918273',
  'zyxwp',
  '1987-11-23',
];

/** Sealed values (28 bytes or more), ids, hashes and fractions of a second: they may match by chance. */
const OF_CHANCE =
  /v1:test:[\w-]{38,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}|(?<=:\d\d)\.\d+/g;

function secretsIn(text: string): string[] {
  const meant = text.replaceAll(OF_CHANCE, '');
  return SECRETS.filter((secret) => meant.includes(secret.toLowerCase()));
}

let service: OwnService;
let bench: JourneyBench;
const tokens: string[] = [];

/** The applicant's PAN; SECRETS has its first five letters. */
const PAN = 'ZYXWP4321Q';

beforeAll(async () => {
  service = await startService();
  bench = new JourneyBench(service);
  await wholeJourney(await start('ONLINE_GOLD'));
  await rejectedJourney(await start('ONLINE_PERSONAL'));
  const { json } = await bench.demo.initiate({
    ...shortLoanRequest({
      pan: PAN,
      dob: '1987-11-23',
      firstName: 'Zyxwella',
      personalEmail: EMAIL,
      officialEmail: EMAIL,
      endUse: 'Quorntander wedding',
    }),
    mobile: MOBILE,
    channel: 'API_HOSTED',
  });
  tokens.push(json.data.hostedUrl.split('/').at(-1)!);
  await bench.settled();
}, 120_000);

afterAll(async () => {
  await bench.close();
  await service.close();
});

async function start(productCode: string): Promise<TestJourney> {
  const customer = { ...PERSON, dob: '1987-11-23' };
  const journey = await bench.startWithOffers({ productCode, pan: PAN, mobile: MOBILE, customer });
  tokens.push(journey.session);
  return journey;
}

/** A journey with refusals, lender failures and a new redirect, to its end. */
async function wholeJourney(journey: TestJourney): Promise<void> {
  vi.spyOn(bench.lender, 'quote').mockRejectedValueOnce(new LenderUnavailable('down'));
  await journey.select();
  vi.restoreAllMocks();
  await journey.goOnTo('KYC_PENDING');
  await bench.browse(await journey.providerPage(), { decision: 'decline' });
  await bench.settled();
  await journey.goOnTo('BANK_ACCOUNT_PENDING');
  await journey.submitAccount({ ...ACCOUNT, acctype: 'X' });
  await journey.submitAccount(BAD_ACCOUNT);
  expect((await journey.submitAccount(ACCOUNT)).status).toBe(200);
  const { selectedOffer } = await journey.complete();
  const late = { kind: 'REFUSED', reason: `${PERSON.fullName} ${ACCOUNT.accNo}` } as const;
  const reference = selectedOffer!.offerId;
  await bench.deliverTo(journey.id, late, { kind: 'DISBURSEMENT', reference });
}

async function rejectedJourney(journey: TestJourney): Promise<void> {
  await journey.goOnTo('BANK_ACCOUNT_PENDING');
  for (let time = 1; time <= 3; time += 1) await journey.submitAccount(BAD_ACCOUNT);
  await journey.reaches('REJECTED');
}

describe('personal data', () => {
  async function wholeDatabase(): Promise<Map<string, string>> {
    const tables = await bench.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const texts = new Map<string, string>();
    for (const { name } of tables) {
      const [row] = await bench.query<{ all: string | null }>(
        `SELECT string_agg(lower(t::text), E'\\n') AS all FROM "${name}" t`,
      );
      texts.set(name, row.all ?? '');
    }
    return texts;
  }

  it('is in no column of any table in the clear, and no token is', async () => {
    const texts = await wholeDatabase();
    // Proves that the search finds data, in the tables that store it sealed.
    for (const table of ['journeys', 'lender_questions', 'lender_inbox', 'journey_intents']) {
      expect(texts.get(table)).toContain('v1:test:');
    }
    for (const table of ['webhook_events', 'journey_audit', 'operator_flags']) {
      expect(texts.get(table)).not.toBe('');
    }
    const found = [...texts].flatMap(([table, text]) =>
      secretsIn(text).map((secret) => `${secret} in ${table}`),
    );
    expect(found).toEqual([]);
    // Sessions and links are stored as hashes only.
    const all = [...texts.values()].join('\n');
    expect(tokens).toHaveLength(3);
    for (const token of tokens) expect(all).not.toContain(token.toLowerCase());
  });

  it('is sealed differently each time: the same applicant looks different in each journey', async () => {
    const rows = await bench.query<{ applicant_sealed: string; pan_hash: string }>(
      'SELECT applicant_sealed, pan_hash FROM journeys',
    );
    expect(new Set(rows.map((row) => row.applicant_sealed)).size).toBe(rows.length);
    // `pan_hash` is the same in every row, and is not the plain hash of the PAN.
    expect(new Set(rows.map((row) => row.pan_hash)).size).toBe(1);
  });
});
