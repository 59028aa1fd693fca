// Isolated: its configuration has remote lenders.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { RemoteLenderStage } from '../../support/remote-lender-stage.js';
import { TEST_MS } from '../hosted-steps/step-journey.js';
import { VisitedJourney } from './visited-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const MONTH_MS = 30 * 86_400_000;
const EACH_ONCE = ['KYC', 'MANDATE', 'ESIGN'];
let stage: RemoteLenderStage;

beforeAll(async () => {
  stage = await RemoteLenderStage.open();
});

afterAll(() => stage.close());

it('remote lenders follow the reserved PANs, and nothing is flagged when only the sandbox has travelled', async () => {
  await stage.service.travel(MONTH_MS);
  await Promise.all(
    [
      { pan: 'SANDX0003A', offers: 1, visits: EACH_ONCE },
      { pan: 'SANDX0004A', offers: 3, visits: ['KYC', ...EACH_ONCE] },
      { pan: 'SANDX0009A', offers: 3, visits: EACH_ONCE },
      { pan: 'SANDX0005A', offers: 3, visits: ['KYC'], reason: 'KYC_FAILED' },
      { pan: 'SANDX0001A', offers: 0, visits: [], reason: 'NO_OFFERS' },
    ].map(async ({ pan, offers, visits, reason }) => {
      const journey = await VisitedJourney.start(stage.service, { pan });
      const end = await journey.goOnTo(reason ? 'REJECTED' : 'SANCTIONED');
      expect([end.offers.length, end.outcomeReason]).toEqual([offers, reason]);
      expect(journey.visits).toEqual(visits);
      const passed = await stage.passedSteps(end.applicationId);
      expect(passed).toEqual(reason ? [] : EACH_ONCE);
    }),
  );
  const flags = await stage.service
    .get<Database>(Database)
    .query('SELECT kind, detail FROM operator_flags');
  expect(flags).toEqual([]);
});
