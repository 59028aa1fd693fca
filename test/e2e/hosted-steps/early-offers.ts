import { vi } from 'vitest';
import { LenderInbox, type LenderQuestion } from '../../../src/lenders/index.js';
import { Database } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import { StepJourney, WAIT } from './step-journey.js';

export const NOW = '/hosted/waiting/offers';

/** Some lenders hold their offers until the test delivers them. */
export class HeldOffers {
  private readonly held = new Map<string, LenderQuestion>();
  private readonly ask: SandboxLender['ask'];

  private constructor(
    private readonly services: readonly TestService[],
    lenderCodes: readonly string[],
  ) {
    const connectors = services.map((one) => one.get<SandboxLender>(SandboxLender));
    this.ask = connectors[0].ask.bind(connectors[0]);
    for (const connector of connectors) {
      const ask = connector.ask.bind(connector);
      vi.spyOn(connector, 'ask').mockImplementation((question) => {
        if (question.kind !== 'OFFERS' || !lenderCodes.includes(question.lender.code)) {
          return ask(question);
        }
        this.held.set(`${question.subjectId} ${question.lender.code}`, question);
        return Promise.resolve({ status: 'PENDING' });
      });
    }
  }

  /** @param services every replica that may ask; its `ask` is mocked until the mocks are restored */
  static of(services: readonly TestService[], lenderCodes: readonly string[]): HeldOffers {
    return new HeldOffers(services, lenderCodes);
  }

  /** Delivers the lender's answer as a callback does. */
  async deliver(journey: StepJourney, lenderCode: string, service = this.services[0]) {
    const question = await eventually(
      () => this.held.get(`${journey.start.id} ${lenderCode}`) ?? false,
    );
    const reply = await this.ask(question as LenderQuestion);
    if (reply.status !== 'ANSWERED') throw new Error(`${lenderCode} answered ${reply.status}`);
    const { partnerId, journeyId: subjectId } = journey.key;
    await service.get<Database>(Database).transaction((tx) =>
      service.get<LenderInbox>(LenderInbox).receive(tx, {
        lenderCode,
        answerId: reply.answerId,
        partnerId,
        subjectId,
        kind: 'OFFERS',
        reference: (question as LenderQuestion).reference,
        answer: reply.answer,
      }),
    );
  }
}

/** A journey that waits for more offers with this number of offers. */
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
