import { expect, it, vi } from 'vitest';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { signedIn, startHosted } from '../../support/hosted-client.js';
import { partnerClient } from '../../support/partner-client.js';
import { sharedService } from '../../support/shared-service.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

it('the lenders’ deadlines run from the confirmation, and not before: of two minutes with an offer, of thirty without any answer', async () => {
  const service = await sharedService();
  const connector = service.get<SandboxLender>(SandboxLender);
  const ask = connector.ask.bind(connector);
  const [start, silent] = [await startHosted(service), await startHosted(service)];
  vi.spyOn(connector, 'ask').mockImplementation((question) =>
    question.subjectId === silent.id || question.lender.code !== 'navdhara'
      ? Promise.reject(new LenderUnavailable('down'))
      : ask(question),
  );
  const shown = ({ id } = start) =>
    partnerClient(service)
      .journey(id)
      .then(({ json }) => json.data);
  const later = async (milliseconds: number) => {
    await service.travel(milliseconds);
    await service.get<OfferDeadlinesTasks>(OfferDeadlinesTasks).run();
  };
  const clients = [await signedIn(service, start), await signedIn(service, silent)];
  for (const client of clients) await client.send303({ agree: '1' });
  // An applicant may take longer than both deadlines over the questions.
  for (let page = 1; page <= 2; page += 1) {
    await later(20 * MINUTE);
    for (const client of clients) await client.open('/hosted/check');
  }
  for (const client of clients) expect((await client.send303()).path).toBe('/hosted/waiting');
  await eventually(async () => {
    expect((await clients[0].open('/hosted/waiting')).text).toContain('Has an offer');
  });
  await later(2 * MINUTE - 20 * SECOND);
  expect((await shown()).state).toBe('INITIATED');
  await later(21 * SECOND);
  await eventually(async () => expect((await shown()).state).toBe('OFFERS_RECEIVED'));
  await later(27 * MINUTE + 30 * SECOND);
  expect((await shown(silent)).state).toBe('INITIATED');
  await later(30 * SECOND);
  await eventually(async () => {
    const rejected = { state: 'REJECTED', outcomeReason: 'LENDERS_UNAVAILABLE' };
    expect(await shown(silent)).toMatchObject(rejected);
  });
  vi.restoreAllMocks();
});
