// Isolated: searches every row of the database for the applicant's data.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
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
const journeys: TestJourney[] = [];
const sessions: string[] = [];

/** The applicant's PAN; SECRETS has its first five letters. */
const PAN = 'ZYXWP4321Q';

beforeAll(async () => {
  service = await startService();
  bench = new JourneyBench(service);
  for (const productCode of ['ONLINE_PERSONAL', 'ONLINE_GOLD']) {
    journeys.push(await wholeJourney(productCode));
  }
  journeys.push(await rejectedJourney());
  const { json } = await bench.demo.initiate({
    ...shortLoanRequest({
      pan: PAN,
      dob: '1987-11-23',
      firstName: 'Zyxwella',
      lastName: 'Quorntander',
      personalEmail: EMAIL,
      officialEmail: EMAIL,
      addressL1: PERSON.addressL1,
      endUse: 'Quorntander wedding',
    }),
    mobile: MOBILE,
    channel: 'API_HOSTED',
  });
  sessions.push(json.data.hostedUrl.split('/').at(-1)!);
  await bench.settled();
}, 120_000);

afterAll(async () => {
  await bench.close();
  await service.close();
});

function start(productCode: string): Promise<TestJourney> {
  const customer = { ...PERSON, dob: '1987-11-23' };
  return bench.startWithOffers({ productCode, pan: PAN, mobile: MOBILE, customer });
}

/** A journey with rejections, lender failures, a second redirect and the end. */
async function wholeJourney(productCode: string): Promise<TestJourney> {
  const journey = await start(productCode);
  const quote = vi.spyOn(bench.service.get(SandboxLender), 'quote');
  quote.mockRejectedValueOnce(new LenderUnavailable('down'));
  await journey.select();
  vi.restoreAllMocks();
  await journey.goOnTo('KYC_PENDING');
  const page = await journey.providerPage();
  await bench.browse(page, { decision: 'decline' });
  await bench.settled();
  await journey.goOnTo('BANK_ACCOUNT_PENDING');
  await journey.submitAccount({ ...ACCOUNT, acctype: 'X' });
  await journey.submitAccount(BAD_ACCOUNT);
  const { status } = await journey.submitAccount(ACCOUNT);
  expect(status).toBe(200);
  await journey.complete();
  const reference = (await journey.read()).selectedOffer!.offerId;
  const late = { kind: 'REFUSED', reason: `${PERSON.fullName} ${ACCOUNT.accNo}` } as const;
  await bench.deliverTo(journey.id, late, { kind: 'DISBURSEMENT', reference });
  return journey;
}

async function rejectedJourney(): Promise<TestJourney> {
  const journey = await start('ONLINE_PERSONAL');
  await journey.goOnTo('BANK_ACCOUNT_PENDING');
  for (let time = 1; time <= 3; time += 1) await journey.submitAccount(BAD_ACCOUNT);
  await journey.reaches('REJECTED');
  return journey;
}

describe('the events of a journey', () => {
  it('are numbered from 1 without a gap, each under an id of its own, in the order of their times', async () => {
    const ids = new Set<string>();
    for (const journey of journeys) {
      const events = await journey.events();
      expect(events.length).toBeGreaterThan(3);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      const bodies = events.map(({ body }) => JSON.parse(body) as Record<string, string>);
      bodies.forEach((sent, index) => {
        const { name, sequence } = events[index];
        expect(sent).toMatchObject({ event: name, sequence, journeyId: journey.id });
        ids.add(sent.id);
      });
      const times = bodies.map(({ createdAt }) => createdAt);
      expect(times).toEqual(times.toSorted());
    }
    const total = await bench.query('SELECT 1 FROM webhook_events');
    // The hosted journey has one, too.
    expect(ids.size).toBe(total.length - 1);
  });

  it('tell the state and the next action of their moment, without the applicant’s link', async () => {
    const data = (await journeys[0].events()).map(({ body }) => JSON.parse(body).data as object);
    const states = [
      ['INITIATED', 'POLL_LENDER_OFFERS'],
      ['OFFERS_RECEIVED', 'SELECT_OFFER'],
      ['KYC_PENDING', 'REDIRECT_TO_KYC'],
      ['BANK_ACCOUNT_PENDING', 'SUBMIT_BANK_ACCOUNT'],
      ['ESIGN_PENDING', 'REDIRECT_TO_ESIGN'],
      ['DISBURSEMENT_PENDING', 'POLL_DISBURSEMENT'],
      ['SANCTIONED', 'JOURNEY_COMPLETED'],
    ];
    expect(data).toEqual(
      states.map(([state, type], index) => ({
        productCode: 'ONLINE_PERSONAL',
        channel: 'API_HEADLESS',
        state,
        nextAction: { type, category: expect.any(String) },
        outcome: index === 6 ? 'SANCTIONED' : 'IN_PROGRESS',
      })),
    );
  });
});

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
    expect(texts.get('webhook_events')).toContain(journeys[0].id);
    for (const table of ['journey_audit', 'operator_flags']) expect(texts.get(table)).not.toBe('');
    const found = [...texts].flatMap(([table, text]) =>
      secretsIn(text).map((secret) => `${secret} in ${table}`),
    );
    expect(found).toEqual([]);
    // Sessions and links are stored as hashes only.
    const all = [...texts.values()].join('\n');
    const tokens = [...journeys.map(({ session }) => session), ...sessions];
    expect(tokens).toHaveLength(4);
    for (const token of tokens) expect(all).not.toContain(token.toLowerCase());
  });

  it('is sealed differently each time: the same applicant looks different in each journey', async () => {
    const rows = await bench.query<{ applicant_sealed: string; pan_hash: string }>(
      'SELECT applicant_sealed, pan_hash FROM journeys',
    );
    expect(new Set(rows.map((row) => row.applicant_sealed)).size).toBe(rows.length);
    // The key that it is found by is the same, and is not the plain hash of the PAN.
    expect(new Set(rows.map((row) => row.pan_hash)).size).toBe(1);
  });
});
