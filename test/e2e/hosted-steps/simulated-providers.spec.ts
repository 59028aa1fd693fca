import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JourneyBench, type TestJourney } from '../journeys/journey-bench.js';

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

afterAll(() => bench.close());

async function pageAt(state: string, pan?: string): Promise<{ journey: TestJourney; url: string }> {
  const journey = await bench.startWithOffers(pan === undefined ? {} : { pan });
  await journey.goOnTo(state);
  return { journey, url: await journey.providerPage() };
}

async function read(url: string, language = 'en'): Promise<string> {
  const response = await fetch(url, { headers: { 'accept-language': language } });
  expect(response.status).toBe(200);
  return response.text();
}

const STEPS = [
  ['KYC_PENDING', 'Verify your identity', 'पहचान की जाँच (KYC)'],
  ['MANDATE_PENDING', 'Allow the instalments to be collected', 'किस्तें खाते से लेने की अनुमति दें'],
  ['ESIGN_PENDING', 'Sign the loan agreement', 'लोन समझौते पर हस्ताक्षर करें'],
] as const;

describe('a simulated provider’s page', () => {
  it.each(STEPS)('says at %s what it is, and that it is a simulation', async (state, en, hi) => {
    const { url } = await pageAt(state);
    const [english, hindi] = [await read(url), await read(url, 'hi')];
    expect(english).toContain(`<h1>${en}</h1>`);
    expect(english).toContain('This is a simulation');
    expect(hindi).toContain(`<h1>${hi}</h1>`);
    expect(hindi).toContain('यह केवल एक नमूना है');
    for (const page of [english, hindi]) {
      for (const decision of ['approve', 'decline', 'leave']) {
        expect(page).toContain(`name="decision" value="${decision}"`);
      }
    }
  });

  it('shows where the agreement is signed what it says, and the fingerprint that it cites', async () => {
    const { journey, url } = await pageAt('ESIGN_PENDING');
    const page = await read(url);
    const offer = (await journey.read()).selectedOffer!;
    const [{ hash }] = await bench.query<{ hash: string }>(
      'SELECT content_hash AS hash FROM key_facts_statements WHERE journey_id = $1',
      [journey.id],
    );
    expect(page).toContain(hash);
    expect(page).toContain(offer.sellerName);
    expect(page).toContain('₹2,00,000');
    const net = new Intl.NumberFormat('en-IN').format(offer.netDisbursedAmount);
    expect(page).toContain(`₹${net}`);
    const statement = await fetch(offer.kfsLink);
    expect(await statement.text()).toContain(hash);
  });

  it('shows no agreement where nothing is signed', async () => {
    const { url } = await pageAt('KYC_PENDING');
    expect(await read(url)).not.toContain('What you are signing');
  });

  it('tells of a PAN that has this try fail, whatever is pressed', async () => {
    const failing = await pageAt('KYC_PENDING', 'SANDX0005A');
    expect(await read(failing.url)).toContain('This will fail');
    const passing = await pageAt('KYC_PENDING');
    expect(await read(passing.url)).not.toContain('This will fail');
  });

  it('takes of two presses at once the first, and calls back once', async () => {
    const { journey, url } = await pageAt('KYC_PENDING');
    const presses = await Promise.all(
      ['approve', 'approve', 'decline', 'approve'].map((decision) =>
        bench.browse(url, { decision }),
      ),
    );
    expect(presses.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    await bench.settled();
    const answers = await bench.query(
      `SELECT 1 FROM lender_inbox WHERE subject_id = $1 AND kind = 'KYC'`,
      [journey.id],
    );
    expect(answers).toHaveLength(1);
    expect(await journey.flags()).toEqual([]);
  });

  it('says what was answered, and offers the way back, when it is opened again', async () => {
    const { journey, url } = await pageAt('KYC_PENDING');
    await bench.browse(url, { decision: 'approve' });
    await journey.reaches('BANK_ACCOUNT_PENDING');
    const page = await read(url);
    expect(page).toContain('You approved this step');
    expect(page).not.toContain('name="decision"');
    expect(page).toContain(`/sandbox/partner?journeyId&#x3D;${journey.id}`);
  });

  it('is remembered until the applicant is erased, and holds no name or number in plain', async () => {
    const { journey } = await pageAt('ESIGN_PENDING', 'ABCPE1234F');
    const rows = await bench.query('SELECT * FROM sandbox_sessions WHERE subject_id = $1', [
      journey.id,
    ]);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('ABCPE1234F');
  });
});
