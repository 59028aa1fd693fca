import { describe, expect, it, vi } from 'vitest';
import type { LenderOffer } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { type TestJourney, journeyBench } from './journey-bench.js';

// The terms that a lender states in its offer apply; the configuration fills the gaps.

const GOLD = { productCode: 'ONLINE_GOLD' };
const BRANCHES = [
  {
    reference: 'FORT:1',
    name: 'Fort',
    address: '4 Horniman Circle, Mumbai 400001',
    latitude: 18.93,
    longitude: 72.83,
  },
  {
    reference: 'FORT:2',
    name: 'Byculla',
    address: '9 Clare Road, Mumbai 400008',
    latitude: 18.97,
    longitude: 72.83,
  },
];
const OWN = {
  contingentCharges: [{ name: 'Bounced mandate', description: '₹413 each time' }],
  coolingOffDays: 11,
  coLender: { name: 'Sahyadri Bank Limited', sharePercent: 80.5 },
};

const bench = journeyBench({ isOneLender: true });

const lender = () => bench.service.get<SandboxLender>(SandboxLender);

async function offered(terms: Partial<LenderOffer>, options = {}): Promise<TestJourney> {
  vi.restoreAllMocks();
  const ask = lender().ask.bind(lender());
  vi.spyOn(lender(), 'ask').mockImplementation(async (question) => {
    const reply = await ask(question);
    if (reply.status !== 'ANSWERED' || reply.answer.kind !== 'OFFERED') return reply;
    const offers = reply.answer.offers.map((offer) => ({ ...offer, ...terms }));
    return { ...reply, answer: { kind: 'OFFERED', offers } };
  });
  const journey = await bench.start(options);
  await journey.wasAnswered(1);
  return journey;
}

async function statementOf(link: string): Promise<string> {
  const { text } = await bench.browse(link);
  return text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

describe('an offer with terms of its own', () => {
  it('has them in its statement, before the choice and after it', async () => {
    const journey = await offered(OWN);
    const [{ kfsLink }] = (await journey.reaches('OFFERS_RECEIVED')).offers;
    const draft = await statementOf(kfsLink);
    expect((await journey.select()).status).toBe(200);
    for (const statement of [draft, await statementOf(kfsLink)]) {
      expect(statement).toContain('Bounced mandate');
      expect(statement).toContain('₹413 each time');
      expect(statement).toContain('11 days');
      expect(statement).toMatch(/Sahyadri Bank Limited\D+80\.5/);
      expect(statement).toMatch(/Navdhara Capital Limited\D+19\.5/);
    }
  });
});

describe('a lender’s own branches', () => {
  it('are those to choose from, under ids of the service, and the lender gets its own reference', async () => {
    const journey = await offered({ branches: [...BRANCHES, BRANCHES[0]] }, GOLD);
    const [offer] = (await journey.reaches('OFFERS_RECEIVED')).offers;
    expect(offer.branchLocations).toMatchObject([
      { branchName: 'Fort' },
      { branchName: 'Byculla' },
    ]);
    for (const { id } of offer.branchLocations!) expect(id).toMatch(/^brn_[0-9a-f]{32}$/);
    await journey.select();
    const { id } = offer.branchLocations![1];
    const open = vi.spyOn(lender(), 'openSession');
    await journey.act('SELECT_GOLD_LOAN_BRANCH', { branchLocationId: id });
    await journey.reaches('KYC_PENDING');
    expect((await journey.read()).selectedOffer).toMatchObject({ branchLocation: { id } });
    await bench.visit(await journey.redirectUrl());
    expect(open.mock.calls[0][0].payload.branchReference).toBe('FORT:2');
  });
});
