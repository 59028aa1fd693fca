import { expect, it } from 'vitest';
import { OfferDeadlinesTasks } from '../../../src/journeys/background/journey.tasks.js';
import { signedIn, startHosted } from '../../support/hosted-client.js';
import { recordsOf } from '../../support/journey-records.js';
import { serviceOfFile } from '../../support/shared-service.js';

const MINUTE = 60_000;

const service = serviceOfFile();
const records = recordsOf(service);

it('the lenders’ deadlines, of two minutes with an offer and of thirty without any, run from the confirmation, and not before', async () => {
  const start = await startHosted(service);
  const client = await signedIn(service, start);
  await client.send303({ agree: '1' });
  const deadlines = async () => {
    const [{ due, last }] = await records.query<{ due: Date | null; last: Date | null }>(
      'SELECT offers_due_at AS due, offers_given_up_at AS last FROM journeys WHERE id = $1',
      [start.id],
    );
    return [due, last].map((at) => at && (at.getTime() - service.now().getTime()) / MINUTE);
  };
  // An applicant may take longer than both deadlines to answer the questions.
  for (let page = 1; page <= 2; page += 1) {
    await service.travel(20 * MINUTE);
    await service.get<OfferDeadlinesTasks>(OfferDeadlinesTasks).run();
    expect([await records.state(start.id), ...(await deadlines())]).toEqual([
      'INITIATED',
      null,
      null,
    ]);
    await client.open('/hosted/check');
  }
  await client.submit();
  const [due, last] = await deadlines();
  expect(due).toBeCloseTo(2, 0);
  expect(last).toBeCloseTo(30, 0);
});
