// Isolated: plans depend on the size of its own tables.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MilestonesRepository } from '../../../src/journeys/store/milestones.repository.js';
import { SmsMessagesRepository } from '../../../src/messaging/store/sms-messages.repository.js';
import { Database } from '../../../src/platform/index.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type OwnService, startService } from '../../support/service.js';
import { JourneyBench } from '../journeys/journey-bench.js';
import { DeliveryBench, SUCCESS } from '../webhooks/delivery-bench.js';
import { costlyPlans, keptStatements } from './kept-statements.js';

describe('planned transactions', () => {
  /** The statement names of planned transactions. */
  const OF_A_PLANNED_TRANSACTION = /^[0-9a-f]{24}$/;
  let service: OwnService;
  let bench: JourneyBench;

  beforeAll(async () => {
    service = await startService();
    bench = new JourneyBench(service);
  });

  afterAll(async () => {
    await bench?.close();
    await service?.close();
  });

  /** A few journeys that start at one moment, each call twice, with their offers. */
  async function walk(): Promise<void> {
    await bench.demo.post('/webhooks', { url: 'http://127.0.0.1:9/closed' });
    const calls = [1, 2, 3].map(() => ({ headers: { 'idempotency-key': randomUUID() } }));
    for (let times = 0; times < 2; times += 1)
      await Promise.all(calls.map((call) => bench.demo.initiate(loanRequest(), call)));
    await bench.startWithOffers();
    await bench.settled();
    await leaveBehind();
  }

  /** The extra statements of hosted journeys whose applicants get messages. */
  async function leaveBehind(): Promise<void> {
    await service.get(Database).plannedTransaction(async (tx) => {
      await service.get(MilestonesRepository).settleOutdated(tx, ['jrn_none'], []);
      await service.get(SmsMessagesRepository).withdraw(tx, ['sms_none']);
    });
  }

  it('a planned transaction reads no table whole, nor all keys for each row but of leads, also by a plan that was made while it was small', async () => {
    const sent = await keptStatements(walk);
    const kept = sent.filter(({ name }) => OF_A_PLANNED_TRANSACTION.test(name));
    for (const part of [
      'FROM journeys',
      'UPDATE journeys',
      'UPDATE applications',
      'FROM idempotent_answers',
      'FROM journey_offers',
      'FROM lender_questions',
      'UPDATE lender_questions',
      'JOIN webhook_subscriptions',
      'UPDATE journey_milestones',
      'UPDATE sms_messages',
    ])
      expect(kept.map(({ text }) => text).join()).toContain(part);
    const costly = await costlyPlans(bench.service.databaseUrl, kept);
    const isOfLeads = (text: string) => text.startsWith('UPDATE applications');
    const findings = Object.entries(costly).map(([text, found]) => [
      text,
      // With `= ANY (ARRAY[id])` PostgreSQL may read an index that ends with the id whole; a batch has at most 64
      // leads.
      found.filter((one) => !(isOfLeads(text) && one.startsWith('each by each'))),
    ]);
    expect(findings.filter(([, found]) => found.length > 0)).toEqual([]);
  });
});

describe('the sender of webhooks', () => {
  let bench: DeliveryBench;
  beforeAll(async () => {
    bench = await DeliveryBench.open();
  });

  afterAll(() => bench?.close());

  /** A lane recovers, an attempt is recorded, and a lane is released. */
  async function send(): Promise<void> {
    const { probe } = await bench.broken(1);
    await bench.claims.renew(probe);
    await bench.finish(probe, SUCCESS);
    await bench.reset();
    await bench.subscribe();
    await bench.publishMany(2);
    const [first, second] = await bench.claims.claim();
    await bench.finish(first, SUCCESS);
    bench.claims.releaseUnsent(second);
    await bench.claims.releaseIdle();
  }

  it('the sender reads no table whole, nor all keys for each row, also by a plan that was made while it was small', async () => {
    const sent = await keptStatements(send);
    const kept = sent.filter(({ name }) => name.startsWith('webhook-'));
    expect(kept.map(({ name }) => name).toSorted()).toEqual([
      'webhook-attempts-record',
      'webhook-deliveries-due',
      'webhook-lane-renew',
      'webhook-lanes-release',
      'webhook-lanes-take',
      'webhook-retries-make-due',
      'webhook-retries-mark',
      'webhook-retries-unmark',
    ]);
    expect(await costlyPlans(bench.url, kept)).toEqual({});
  });
});
