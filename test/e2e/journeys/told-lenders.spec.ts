import { describe, expect, it, vi } from 'vitest';
import type { QuestionPayload } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import { type TestJourney, journeyBench } from './journey-bench.js';

const ASKED = 200_000_00;
const CHOSEN = 123_456_78;

/** A message that a lender was sent. */
interface SentMessage {
  readonly about: string;
  readonly payload: QuestionPayload;
}

const bench = journeyBench({ isOneLender: true });

/** Records every message to a lender from now on; the lenders answer as usual. */
function listen(): SentMessage[] {
  const sent: SentMessage[] = [];
  const connector = bench.service.get(SandboxLender);
  const ask = connector.ask.bind(connector);
  const quote = connector.quote.bind(connector);
  const verifyAccount = connector.verifyAccount.bind(connector);
  const openSession = connector.openSession.bind(connector);
  const hear = (about: string, payload: QuestionPayload) => sent.push({ about, payload });
  vi.spyOn(connector, 'ask').mockImplementation((question) => {
    hear(question.kind, question.payload);
    return ask(question);
  });
  vi.spyOn(connector, 'quote').mockImplementation((request) => {
    hear(`QUOTE of ${request.principal}`, request.payload);
    return quote(request);
  });
  vi.spyOn(connector, 'verifyAccount').mockImplementation((request) => {
    hear('ACCOUNT', request.payload);
    return verifyAccount(request);
  });
  vi.spyOn(connector, 'openSession').mockImplementation((request) => {
    hear(`SESSION of ${request.step}`, request.payload);
    return openSession(request);
  });
  return sent;
}

/** The applicant opens the provider's page, returns too early, and then approves there. */
async function passStep(journey: TestJourney, step: string, next: string): Promise<void> {
  const page = await journey.providerPage();
  expect((await journey.returned(step)).status).toBe(200);
  expect((await journey.read()).state).toBe(`${step}_PENDING`);
  await bench.browse(page, { decision: 'approve' });
  await journey.reaches(next);
}

describe('what lenders are sent about the amount', () => {
  it('is the one asked for until the choice, the chosen one and its net after it', async () => {
    const sent = listen();
    const journey = await bench.startWithOffers();
    const { createdAt, applicationId } = await journey.read();
    const [{ until }] = await bench.query<{ until: Date }>(
      'SELECT offers_given_up_at AS until FROM journeys WHERE id = $1',
      [journey.id],
    );
    expect(sent[0].payload).toMatchObject({
      subjectKind: 'JOURNEY',
      applicationId,
      consent: { givenBy: 'PARTNER', givenAt: createdAt },
      usefulUntil: until.toISOString(),
    });
    expect(sent[0].payload.consent).not.toHaveProperty('textVersion');
    await journey.select({ loanAmount: CHOSEN / 100 });
    const { selectedOffer } = await journey.read();
    await passStep(journey, 'KYC', 'BANK_ACCOUNT_PENDING');
    await journey.submitAccount();
    await passStep(journey, 'MANDATE', 'ESIGN_PENDING');
    await passStep(journey, 'ESIGN', 'SANCTIONED');

    const before = { loanAmount: ASKED, netDisbursed: undefined };
    const netDisbursed = Math.round(selectedOffer!.netDisbursedAmount * 100);
    expect(netDisbursed).toBeLessThan(CHOSEN);
    const after = { loanAmount: CHOSEN, netDisbursed };
    const expected: Record<string, object> = {
      OFFERS: before,
      [`QUOTE of ${CHOSEN}`]: before,
      'SESSION of KYC': after,
      KYC: after,
      ACCOUNT: after,
      'SESSION of MANDATE': after,
      MANDATE: after,
      'SESSION of ESIGN': after,
      ESIGN: after,
      DISBURSEMENT: after,
    };
    for (const { about, payload } of sent) {
      const { loanAmount, netDisbursed: net } = payload;
      expect([about, { loanAmount, netDisbursed: net }]).toEqual([about, expected[about]]);
    }
    expect(new Set(sent.map(({ about }) => about))).toEqual(new Set(Object.keys(expected)));
    const payout = sent.find(({ about }) => about === 'DISBURSEMENT')!.payload;
    expect(payout.bankAccount).toEqual(BANK_ACCOUNT);
  });
});
