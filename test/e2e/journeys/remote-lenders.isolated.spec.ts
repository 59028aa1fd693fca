// Isolated: its lenders are another process, which the configuration names.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { RemoteLenderStage } from '../../support/remote-lender-stage.js';
import { VisitedJourney } from './visited-journey.js';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

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

/** Waits until so many of the journey's questions are such. */
function questionsAre(condition: string, count: number, { id }: VisitedJourney): Promise<void> {
  const sql = `SELECT 1 FROM lender_questions WHERE subject_id = $1 AND ${condition}`;
  return eventually(async () => {
    const rows = await stage.service.get<Database>(Database).query(sql, [id]);
    expect(rows).toHaveLength(count);
  });
}

async function expectPaidOut(journey: VisitedJourney, visits: string[]): Promise<void> {
  const { applicationId } = await journey.goOnTo('SANCTIONED');
  expect(journey.visits).toEqual(visits);
  expect(await stage.passedSteps(applicationId)).toEqual(EACH_ONCE);
}

describe('the reserved PANs, with lenders outside the process', () => {
  it.each([
    ['SANDX0003A: one offer', EACH_ONCE],
    ['SANDX0004A: KYC fails once', ['KYC', ...EACH_ONCE]],
    ['SANDX0006A: the mandate fails once', ['KYC', 'MANDATE', 'MANDATE', 'ESIGN']],
    ['SANDX0009A: lenders fail twice, then offer', EACH_ONCE],
  ])('%s', async (title, visits) => {
    const journey = await start(title.slice(0, 10));
    const { offers } = await journey.reaches('OFFERS_RECEIVED');
    expect(offers).toHaveLength(title.includes('one offer') ? 1 : 3);
    await expectPaidOut(journey, visits);
  });

  it.each([
    ['SANDX0001A: every lender declines', 'NO_OFFERS', []],
    ['SANDX0005A: KYC is refused for good', 'KYC_FAILED', ['KYC']],
    ['SANDX0007A: the signature is declined for good', 'ESIGN_DECLINED', EACH_ONCE],
  ])('%s', async (title, outcomeReason, visits) => {
    const journey = await start(title.slice(0, 10));
    expect(await journey.goOnTo('REJECTED')).toMatchObject({ outcomeReason });
    expect(journey.visits).toEqual(visits);
  });

  it('SANDX0002A: lenders take ten seconds, and one never answers', async () => {
    const journey = await start('SANDX0002A');
    await questionsAre('attempts = 1 AND lease_until IS NULL', 3, journey);
    await stage.travel(11_000);
    await questionsAre(`status = 'ANSWERED'`, 2, journey);
    await stage.travel(110_000);
    const { offers } = await journey.reaches('OFFERS_RECEIVED');
    expect(offers).toHaveLength(2);
  });

  it('SANDX0008A: the payout takes thirty seconds', async () => {
    const journey = await start('SANDX0008A');
    await journey.goOnTo('DISBURSEMENT_PENDING');
    await stage.travel(31_000);
    await expectPaidOut(journey, EACH_ONCE);
  });

  it('SANDX0012A: KYC, mandate and signature take ten seconds each', async () => {
    const journey = await start('SANDX0012A');
    for (const [at, next] of [
      ['KYC_PENDING', 'BANK_ACCOUNT_PENDING'],
      ['MANDATE_PENDING', 'ESIGN_PENDING'],
      ['ESIGN_PENDING', 'SANCTIONED'],
    ] as const) {
      const { currentNextAction } = await journey.goOnTo(at);
      await journey.visit(at.replace('_PENDING', ''), currentNextAction.url!);
      const category = (await journey.read()).currentNextAction.category;
      expect(category).toBe('POLL');
      await stage.travel(11_000);
      await journey.reaches(next);
    }
    expect(journey.visits).toEqual(EACH_ONCE);
  });
});

describe('lenders outside the process, when only the sandbox has travelled', () => {
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
