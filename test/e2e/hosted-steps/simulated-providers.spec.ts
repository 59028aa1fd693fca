import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JourneyBench } from '../journeys/journey-bench.js';

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

afterAll(() => bench.close());

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
  it('says at each step that it is a simulation; of the agreement what it says, and the fingerprint that it cites', async () => {
    const journey = await bench.startWithOffers({ pan: 'ABCPE1234F' });
    let url = '';
    for (const [state, en, hi] of STEPS) {
      await journey.goOnTo(state);
      url = await journey.providerPage();
      const [english, hindi] = [await read(url), await read(url, 'hi')];
      expect(english).toContain(`<h1>${en}</h1>`);
      expect(english).toContain('This is a simulation');
      expect(english).not.toContain('This will fail');
      expect(hindi).toContain(`<h1>${hi}</h1>`);
      expect(hindi).toContain('यह केवल एक नमूना है');
      expect(english.includes('What you are signing')).toBe(state === 'ESIGN_PENDING');
      for (const decision of ['approve', 'decline', 'leave'])
        expect(english).toContain(`name="decision" value="${decision}"`);
      if (state !== 'ESIGN_PENDING') await bench.browse(url, { decision: 'approve' });
    }
    const page = await read(url);
    const offer = (await journey.read()).selectedOffer!;
    const [{ hash }] = await bench.query<{ hash: string }>(
      'SELECT content_hash AS hash FROM key_facts_statements WHERE journey_id = $1',
      [journey.id],
    );
    const net = new Intl.NumberFormat('en-IN').format(offer.netDisbursedAmount);
    for (const said of [hash, offer.sellerName, '₹2,00,000', `₹${net}`])
      expect(page).toContain(said);
    expect(await (await fetch(offer.kfsLink)).text()).toContain(hash);
    const rows = await bench.query('SELECT * FROM sandbox_sessions WHERE subject_id = $1', [
      journey.id,
    ]);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('ABCPE1234F');
  });

  it('takes of two presses at once the first, calls back once, and says what was answered when it is opened again', async () => {
    const journey = await bench.startWithOffers();
    await journey.goOnTo('KYC_PENDING');
    const url = await journey.providerPage();
    const decisions = ['approve', 'approve', 'approve', 'approve'];
    const presses = await Promise.all(decisions.map((decision) => bench.browse(url, { decision })));
    expect(presses.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    await bench.settled();
    const answers = await bench.query(
      `SELECT 1 FROM lender_inbox WHERE subject_id = $1 AND kind = 'KYC'`,
      [journey.id],
    );
    expect(answers).toHaveLength(1);
    expect(await journey.flags()).toEqual([]);
    await journey.reaches('BANK_ACCOUNT_PENDING');
    const page = await read(url);
    expect(page).toContain('You approved this step');
    expect(page).not.toContain('name="decision"');
    expect(page).toContain(`/sandbox/partner?journeyId&#x3D;${journey.id}`);
  });

  it('tells of a PAN that has this try fail, whatever is pressed', async () => {
    const failing = await bench.startWithOffers({ pan: 'SANDX0005A' });
    await failing.goOnTo('KYC_PENDING');
    expect(await read(await failing.providerPage())).toContain('This will fail');
  });
});
