// Isolated: a configuration with another gateway, and two replicas that look at once.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MilestoneTextsTasks } from '../../../src/journeys/background/milestone-texts.tasks.js';
import { configurationWith } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { HttpGatewayServer } from '../../support/sms-gateways.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';
import { runOnBoth, takeOffSchedule } from '../replicas/tasks-by-hand.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const gateway = new HttpGatewayServer();
let replicas: TwoReplicas;
let configuration: ReturnType<typeof configurationWith>;
let records: JourneyRecords;

beforeAll(async () => {
  await gateway.start();
  const settings = { milestoneTexts: ['KYC_FAILED', 'MONEY_PAID'], textsPerMobilePerDay: 1 };
  configuration = configurationWith({ settings, sms: gateway.section });
  replicas = await startTwoReplicas({ configFile: configuration.file });
  records = new JourneyRecords(replicas.first.databaseUrl);
  takeOffSchedule(replicas, 'milestone-texts');
});

afterAll(async () => {
  await records?.close();
  await replicas?.close();
  configuration?.remove();
  await gateway.stop();
});

beforeEach(() => gateway.reset());

const outcomesOf = (id: string) =>
  records.query<{ milestone: string; outcome: string | null }>(
    'SELECT milestone, outcome FROM journey_milestones WHERE journey_id = $1 ORDER BY milestone',
    [id],
  );
const inHindi = (id: string) =>
  records.query(
    `UPDATE key_facts_statements SET acknowledged_language = 'hi' WHERE offer_id =
       (SELECT selected_offer_id FROM journeys WHERE id = $1)`,
    [id],
  );

/** Has both replicas look at once, until nothing is due any more. */
async function tell(): Promise<void> {
  await runOnBoth(replicas, MilestoneTextsTasks);
  await eventually(
    async () => {
      await runOnBoth(replicas, MilestoneTextsTasks);
      const due = await records.query(
        'SELECT 1 FROM journey_milestones WHERE settled_at IS NULL AND due_at <= app_now()',
      );
      expect(due).toEqual([]);
    },
    { withinMs: 20_000 },
  );
}

describe('the applicant of a hosted journey, under a configuration', () => {
  it('tells what is switched on alone, and in the language of the applicant', async () => {
    const { start } = await StepJourney.at('SANCTIONED', replicas.first, { mobile: newMobile() });
    expect(await outcomesOf(start.id)).toEqual([{ milestone: 'MONEY_PAID', outcome: null }]);
    await inHindi(start.id);
    await tell();
    await eventually(() => expect(gateway.taken).toHaveLength(1));
    const [{ to, text, fields }] = gateway.taken;
    expect(to).toBe(`91${start.mobile}`);
    expect(text).toContain('आपके लोन की रकम आपके बैंक खाते में');
    expect(fields.template).toBe('1107000000000000014');
  });

  it('tells nothing that is not registered in the applicant’s language', async () => {
    const journey = await StepJourney.at('KYC_PENDING', replicas.first, {
      pan: 'SANDX0005A',
      mobile: newMobile(),
    });
    await inHindi(journey.start.id);
    await journey.driveTo('REJECTED');
    await tell();
    expect(await outcomesOf(journey.start.id)).toEqual([
      { milestone: 'KYC_FAILED', outcome: 'NO_TEXT' },
    ]);
    expect(gateway.received).toEqual([]);
  });

  it('tells who has had the texts of the day when it is over', async () => {
    const mobile = newMobile();
    const first = await StepJourney.at('SANCTIONED', replicas.first, { mobile });
    const second = await StepJourney.at('SANCTIONED', replicas.first, { mobile });
    await tell();
    await eventually(() => expect(gateway.taken).toHaveLength(1));
    const ids = [first.start.id, second.start.id];
    const outcomes = async () =>
      (await Promise.all(ids.map(outcomesOf))).flat().map(({ outcome }) => String(outcome));
    expect((await outcomes()).toSorted()).toEqual(['TOLD', 'null']);
    await replicas.travel(DAY_MS + HOUR_MS);
    await tell();
    expect(await outcomes()).toEqual(['TOLD', 'TOLD']);
    await eventually(() => expect(gateway.taken).toHaveLength(2));
  });
});
