import { expect, it } from 'vitest';
import { HostedClient } from '../../support/hosted-client.js';
import { journeyBench } from '../journeys/journey-bench.js';
import { expectWords, wordsOf } from './step-journey.js';

const bench = journeyBench({ isOneLender: true });

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

it('a simulated provider’s page says at each step that it is a simulation; of the agreement what it says, and the fingerprint that it cites', async () => {
  const journey = await bench.startWithOffers({ pan: 'ABCPE1234F' });
  let english = '';
  for (const [state, en, hi] of STEPS) {
    await journey.goOnTo(state);
    const url = await journey.providerPage();
    english = await read(url);
    expect(english).toContain(`<h1>${en}</h1>`);
    expect(english).toContain('This is a simulation');
    expect(english).not.toContain('This will fail');
    expect(await read(url, 'hi')).toContain(`<h1>${hi}</h1>`);
    expect(english.includes('What you are signing')).toBe(state === 'ESIGN_PENDING');
    if (state !== 'ESIGN_PENDING') await bench.browse(url, { decision: 'approve' });
  }
  const offer = (await journey.read()).selectedOffer!;
  const [{ hash }] = await bench.query<{ hash: string }>(
    'SELECT content_hash AS hash FROM key_facts_statements WHERE journey_id = $1',
    [journey.id],
  );
  const net = new Intl.NumberFormat('en-IN').format(offer.netDisbursedAmount);
  for (const said of [hash, offer.sellerName, '₹2,00,000', `₹${net}`])
    expect(english).toContain(said);
  expect(await read(offer.kfsLink)).toContain(hash);
  const rows = await bench.query('SELECT * FROM sandbox_sessions WHERE subject_id = $1', [
    journey.id,
  ]);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain('ABCPE1234F');
});

it('a simulated provider’s page tells of a PAN that has this try fail, whatever is pressed', async () => {
  const failing = await bench.startWithOffers({ pan: 'SANDX0005A' });
  await failing.goOnTo('KYC_PENDING');
  expect(await read(await failing.providerPage())).toContain('This will fail');
});

it('the page that simulates the partner’s app tells what comes next, and shows nothing that the service would not tell', async () => {
  const client = new HostedClient(bench.service.baseUrl);
  const open = (query: string) => client.get(`/sandbox/partner?${query}`);
  const id = `jrn_${'0'.repeat(32)}`;
  expectWords(await open(`journeyId=${id}&step=MANDATE`), id, 'MANDATE', 'redirect-returned');
  const ended = await open(`journeyId=${id}&outcome=SANCTIONED`);
  expectWords(ended, 'This is a simulation', id, 'SANCTIONED', 'is no proof');
  expect(wordsOf(ended)).not.toContain('redirect-returned');
  for (const query of [
    'journeyId=%3Cb%3Eevil%3C%2Fb%3E&outcome=CALL-1800-EVIL&step=evil',
    'step=evil&step=KYC&journeyId[evil]=1&outcome[]=EVIL',
  ]) {
    const page = await open(query);
    expectWords(page, 'Back at the partner');
    // Only the language form contains the address.
    expect(/<main.*<\/main>/s.exec(page.text)![0]).not.toMatch(/evil|summary-list/i);
  }
});
