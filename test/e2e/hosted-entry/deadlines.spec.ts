import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { type LenderQuestion, LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { type HostedStart, signedIn, startHosted } from '../../support/hosted-client.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let service: TestService;
let demo: PartnerClient;

beforeAll(async () => {
  service = await sharedService();
  demo = partnerClient(service);
});

afterEach(() => {
  vi.restoreAllMocks();
});

function awayWhere(isAway: (question: LenderQuestion) => boolean): void {
  const connector = service.get<SandboxLender>(SandboxLender);
  const ask = connector.ask.bind(connector);
  vi.spyOn(connector, 'ask').mockImplementation((question) =>
    isAway(question) ? Promise.reject(new LenderUnavailable('down')) : ask(question),
  );
}

async function shown({ id }: HostedStart) {
  const { state, outcomeReason } = (await demo.journey(id)).json.data;
  return { state, outcomeReason };
}

/** Moves the time and runs the deadlines; the journey must not change. */
async function expectToWait(start: HostedStart, milliseconds: number): Promise<void> {
  await service.travel(milliseconds);
  await service.get<OfferDeadlinesTasks>(OfferDeadlinesTasks).run();
  expect(await shown(start)).toEqual({ state: 'INITIATED' });
}

/** An applicant who takes longer than both deadlines for the questions, and then confirms. */
async function confirmedLate() {
  const start = await startHosted(service);
  const client = await signedIn(service, start);
  await client.send303({ agree: '1' });
  for (let page = 1; page <= 2; page += 1) {
    await expectToWait(start, 20 * MINUTE);
    await client.open('/hosted/check');
  }
  expect(client.page!.path).toBe('/hosted/check');
  await client.submit();
  return { start, client };
}

describe('the lenders’ deadlines run from the confirmation, and not before', () => {
  it('the short one: with an offer the journey goes on after two minutes', async () => {
    awayWhere(({ lender }) => lender.code !== 'navdhara');
    const { start, client } = await confirmedLate();
    await eventually(async () => {
      expect((await client.open('/hosted/waiting')).text).toContain('Has an offer');
    });
    await expectToWait(start, 2 * MINUTE - 20 * SECOND);
    await service.travel(21 * SECOND);
    await eventually(async () => {
      expect(await shown(start)).toEqual({ state: 'OFFERS_RECEIVED' });
    });
  });

  it('the long one: without any answer the journey ends after thirty minutes', async () => {
    awayWhere(() => true);
    const { start } = await confirmedLate();
    await expectToWait(start, 2 * MINUTE + SECOND);
    await expectToWait(start, 27 * MINUTE + 30 * SECOND);
    await service.travel(30 * SECOND);
    await eventually(async () => {
      const expected = { state: 'REJECTED', outcomeReason: 'LENDERS_UNAVAILABLE' };
      expect(await shown(start)).toEqual(expected);
    });
  });
});
