import { vi } from 'vitest';
import { LenderInbox, type LenderQuestion } from '../../../src/lenders/index.js';
import { Database } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { StepJourney, WAIT } from './step-journey.js';

export const NOW = '/hosted/waiting/offers';

/** Delays the offers of some lenders; the returned function delivers one, as a callback. */
export function holdOffers(service: TestService, lenderCodes: readonly string[]) {
  const connector = service.get<SandboxLender>(SandboxLender);
  const ask = connector.ask.bind(connector);
  const held = new Map<string, LenderQuestion>();
  vi.spyOn(connector, 'ask').mockImplementation((question) => {
    const { kind, lender, subjectId } = question;
    if (kind !== 'OFFERS' || !lenderCodes.includes(lender.code)) return ask(question);
    held.set(`${subjectId} ${lender.code}`, question);
    return Promise.resolve({ status: 'PENDING' });
  });
  return async ({ key: { partnerId, journeyId } }: StepJourney, lenderCode: string) => {
    const question = await eventually(() => held.get(`${journeyId} ${lenderCode}`) ?? false);
    const reply = await ask(question as LenderQuestion);
    if (reply.status !== 'ANSWERED') throw new Error(`${lenderCode} answered ${reply.status}`);
    const { answerId, answer } = reply;
    const { kind, reference } = question as LenderQuestion;
    const arrived = { lenderCode, answerId, answer, partnerId, subjectId: journeyId };
    await service
      .get<Database>(Database)
      .transaction((tx) =>
        service.get<LenderInbox>(LenderInbox).receive(tx, { ...arrived, kind, reference }),
      );
  };
}

/** A journey that has this number of offers and waits for more. */
export async function waitingWith(offers: number, service: TestService): Promise<StepJourney> {
  const journey = await StepJourney.begin(service);
  await offersCome(journey, offers);
  return journey;
}

export function offersCome(journey: StepJourney, count: number): Promise<void> {
  return eventually(async () => {
    const { offers } = await journey.view();
    if (offers.length !== count) throw new Error(`${offers.length} offers, not ${count}`);
  }, WAIT);
}
