// Isolated: its configurations have remote lenders or another gateway.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MilestoneTextsTasks } from '../../../src/journeys/background/milestone-texts.js';
import { MilestonesRepository } from '../../../src/journeys/store/milestones.repository.js';
import { Database } from '../../../src/platform/index.js';
import { configurationWith } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { pauseWakes } from '../../support/paused-task.js';
import { RemoteLenderStage } from '../../support/remote-lender-stage.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { HttpGatewayServer } from '../../support/sms-gateways.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';
import { runOnBoth, takeOffSchedule } from '../replicas/tasks-by-hand.js';
import { VisitedJourney } from './visited-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

describe('lenders in another process', () => {
  const MONTH_MS = 30 * 86_400_000;
  const EACH_ONCE = ['KYC', 'MANDATE', 'ESIGN'];
  let stage: RemoteLenderStage;

  beforeAll(async () => {
    stage = await RemoteLenderStage.open();
  });

  afterAll(() => stage.close());

  function start(pan: string): Promise<VisitedJourney> {
    return VisitedJourney.start(stage.service, { pan });
  }

  async function expectPaidOut(journey: VisitedJourney, visits: string[]): Promise<void> {
    const { applicationId } = await journey.goOnTo('SANCTIONED');
    expect(journey.visits).toEqual(visits);
    expect(await stage.passedSteps(applicationId)).toEqual(EACH_ONCE);
  }

  describe('the reserved PANs, with remote lenders', () => {
    it('lead to loans, with another visit for a step that failed once, and to refusals', async () => {
      const [failed, flaky, one, refused, declined] = await Promise.all(
        ['0004', '0009', '0003', '0005', '0001'].map((pan) => start(`SANDX${pan}A`)),
      );
      for (const [journey, count] of [
        [failed, 3],
        [flaky, 3],
        [one, 1],
      ] as const) {
        const { offers } = await journey.reaches('OFFERS_RECEIVED');
        expect(offers).toHaveLength(count);
      }
      await Promise.all([
        expectPaidOut(failed, ['KYC', ...EACH_ONCE]),
        expectPaidOut(flaky, EACH_ONCE),
        expectRefused(refused, 'KYC_FAILED', ['KYC']),
        expectRefused(declined, 'NO_OFFERS', []),
      ]);
    });
  });

  async function expectRefused(journey: VisitedJourney, outcomeReason: string, visits: string[]) {
    expect(await journey.goOnTo('REJECTED')).toMatchObject({ outcomeReason });
    expect(journey.visits).toEqual(visits);
  }

  describe('remote lenders, when only the sandbox has travelled', () => {
    it('lend, and nothing is flagged', async () => {
      await stage.service.travel(MONTH_MS);
      const journey = await start('SANDX0003A');
      await journey.reaches('OFFERS_RECEIVED');
      await expectPaidOut(journey, EACH_ONCE);
      const flags = await stage.service
        .get<Database>(Database)
        .query('SELECT kind, detail FROM operator_flags WHERE subject_id = $1', [journey.id]);
      expect(flags).toEqual([]);
    });
  });
});

describe('the applicant of a hosted journey, under a configuration', () => {
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
    for (const one of [replicas.first, replicas.second]) pauseWakes(one, MilestonesRepository.DUE);
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

  /** Runs both replicas' due work at once until nothing is due. */
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

  it('tells what is switched on alone, in the language of the applicant, and who has had the texts of the day when it is over', async () => {
    const mobile = newMobile();
    const at = () => StepJourney.at('SANCTIONED', replicas.first, { mobile });
    const ids = (await Promise.all([at(), at()])).map(({ start }) => start.id);
    for (const id of ids) {
      expect(await outcomesOf(id)).toEqual([{ milestone: 'MONEY_PAID', outcome: null }]);
      await inHindi(id);
    }
    await tell();
    await eventually(() => expect(gateway.taken).toHaveLength(1));
    const [{ to, text, fields }] = gateway.taken;
    expect(to).toBe(`91${mobile}`);
    expect(text).toContain('आपके लोन की रकम आपके बैंक खाते में');
    expect(fields.template).toBe('1107000000000000014');
    const outcomes = async () =>
      (await Promise.all(ids.map(outcomesOf))).flat().map(({ outcome }) => String(outcome));
    expect((await outcomes()).toSorted()).toEqual(['TOLD', 'null']);
    await replicas.travel(DAY_MS + HOUR_MS);
    await tell();
    expect(await outcomes()).toEqual(['TOLD', 'TOLD']);
    await eventually(() => expect(gateway.taken).toHaveLength(2));
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
});
