// Isolated: its process is killed, or has a pool of two connections.
import { SchedulerRegistry } from '@nestjs/schedule';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SmsOutbox } from '../../../src/messaging/index.js';
import { Database, DuePoller, UNWOKEN_MS, WorkLoop } from '../../../src/platform/index.js';
import { EventPublisher } from '../../../src/webhooks/index.js';
import { ReplicaWakeUp } from '../../../src/webhooks/sender/sender-wake-up.js';
import { eventually } from '../../support/eventually.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  atSandboxGateway,
  openGateway,
} from '../../support/instant-loans.js';
import { journeyIn } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { loanRequest } from '../../support/loan-requests.js';
import { inForm } from '../../support/long-form.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type OwnService, startService } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { someSms } from '../messaging/sms-bench.js';
import { someEvent } from '../webhooks/some-event.js';

// Many journeys; slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

describe('what another replica has left is found', () => {
  const CONSUMED = [
    'consumed_at = NULL, next_attempt_at = app_now()',
    'consumed_at IS NOT NULL',
  ] as const;

  const NOT_DUE = 'next_attempt_at IS NULL OR next_attempt_at > app_now()';
  const STATE = 'SELECT state AS status FROM journeys WHERE id = $1';
  const CALLED_BACK = 'next_callback_at IS NULL OR next_callback_at > app_now()';
  const PATIENT = { withinMs: 30_000 };

  /** Does the work. Its loops' own late checks are off, so that only the poller finds due work. */
  let worker: OwnService;
  /** Accepts calls but does no background work, as after a kill. */
  let dead: OwnService;
  let partner: PartnerClient;
  let records: JourneyRecords;

  beforeAll(async () => {
    const wait = globalThis.setTimeout;
    const net = (work: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
      wait(work, ms === UNWOKEN_MS ? 3_600_000 : ms, ...given);
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(net as typeof setTimeout);
    // After an error the poller would wake all loops, which would hide a failing query.
    const poller = DuePoller.prototype as unknown as {
      wakeThose: (this: DuePoller, due: unknown) => void;
    };
    const wakeThose = poller.wakeThose;
    vi.spyOn(poller, 'wakeThose').mockImplementation(function (this: DuePoller, due) {
      if (due !== null) wakeThose.call(this, due);
    });
    worker = await startService();
    const { databaseUrl } = worker;
    const idle = [
      vi.spyOn(WorkLoop.prototype, 'start').mockReturnValue(undefined),
      vi.spyOn(ReplicaWakeUp.prototype, 'onModuleInit').mockReturnValue(undefined),
    ];
    dead = await startService({ databaseUrl, environment: { BASE_URL: worker.baseUrl } });
    for (const method of idle) method.mockRestore();
    const registry = dead.get<SchedulerRegistry>(SchedulerRegistry);
    for (const task of registry.getIntervals()) registry.deleteInterval(task);
    partner = partnerClient(dead);
    records = new JourneyRecords(databaseUrl);
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    await records?.close();
    await dead?.close();
    await worker?.close();
  });

  function reaches(sql: string, id: string, status: string): Promise<string> {
    return eventually(async () => {
      const [row] = await records.query<{ status: string }>(sql, [id]);
      if (row?.status !== status) throw new Error(`${id} is ${row?.status}, not ${status}`);
      return row.status;
    }, PATIENT);
  }

  async function payFor(mobile: string, pan: string, status: string): Promise<string> {
    const { json } = await applyForInstantLoan(partner, { mobile, pan });
    const { journeyId, redirectUrl } = json.data;
    const browser = new ApplicantBrowser();
    await reaches(STATE, journeyId, 'OFFERS_RECEIVED');
    await atSandboxGateway(browser, await openGateway(browser, redirectUrl), 'pay');
    return reaches(STATE, journeyId, status);
  }

  const ofSms = (id: string, status: string) =>
    reaches('SELECT status FROM sms_messages WHERE id = $1', id, status);

  it('of a journey: questions to lenders, and what they answer', async () => {
    const journey = await journeyIn(partner, 'SANCTIONED');
    expect(await records.state(journey.id)).toBe('SANCTIONED');
  });

  it('of instant loans: offers, payments, what the gateway says of them, decisions', async () => {
    expect(await payFor('9876500001', 'ABCDE1234F', 'SANCTIONED')).toBe('SANCTIONED');
    expect(await payFor('9876500002', 'SANDX0013A', 'REJECTED')).toBe('REJECTED');
    await reaches(
      'SELECT status FROM payment_refunds WHERE tell_at IS NULL AND status <> $1',
      'NEW',
      'DONE',
    );
  });

  it('of texts: one to be sent, and one whose time is over', async () => {
    const put = () =>
      dead.get<Database>(Database).transaction(async (tx) => {
        const { id } = await dead.get<SmsOutbox>(SmsOutbox).put(tx, someSms());
        return id;
      });
    expect(await ofSms(await put(), 'HANDED_OVER')).toBe('HANDED_OVER');
    const late = await put();
    await records.query(
      `UPDATE sms_messages SET expires_at = app_now(), next_attempt_at = app_now() + interval '1 hour'
       WHERE id = $1`,
      [late],
    );
    expect(await ofSms(late, 'EXPIRED')).toBe('EXPIRED');
  });

  it('of webhooks: a delivery', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      await partner.post('/webhooks', { url: receiver.url() });
      await dead.get<Database>(Database).transaction(async (tx) => {
        await dead
          .get<EventPublisher>(EventPublisher)
          .publishAll(tx, [someEvent({ partnerId: 'demo' })]);
      });
      expect(await receiver.waitForCount(1, PATIENT.withinMs)).toHaveLength(1);
    } finally {
      await receiver.stop();
    }
  });

  // Makes one item of each kind due again, without notifying the worker.
  it.each([
    ['an offer', 'lender_inbox', "kind = 'OFFERS'", ...CONSUMED],
    ['a verdict', 'lender_inbox', "kind = 'ESIGN'", ...CONSUMED],
    ['a decision', 'lender_inbox', "kind = 'DECISION'", ...CONSUMED],
    ['a notice of a payment', 'payment_inbox', "kind = 'PAID'", ...CONSUMED],
    ['an order', 'payment_orders', 'true', 'next_attempt_at = app_now()', NOT_DUE],
    ['a refund', 'payment_refunds', 'true', 'next_attempt_at = app_now()', NOT_DUE],
    ['a refund that is done', 'payment_refunds', 'true', 'tell_at = app_now()', 'tell_at IS NULL'],
    ['a callback', 'sandbox_payments', 'true', 'next_callback_at = app_now()', CALLED_BACK],
  ])('of inboxes and retries: %s', async (_, table, which, due, isDone) => {
    const key = table === 'sandbox_payments' ? 'order_id' : 'id';
    const [{ id }] = await records.query<{ id: string }>(
      `UPDATE ${table} SET ${due} WHERE ${key} = (SELECT ${key} FROM ${table} WHERE ${which} LIMIT 1)
       RETURNING ${key} AS id`,
    );
    const done = `SELECT 1 FROM ${table} WHERE ${key} = $1 AND (${isDone})`;
    await eventually(async () => {
      expect(await records.query(done, [id])).toHaveLength(1);
    }, PATIENT);
  });

  it('of requests for a fresh link: one', async () => {
    const insert = `INSERT INTO link_requests (subject_sealed, language, created_at, due_at)
       VALUES ('spoiled', 'en', app_now() - interval '2 hours', app_now())`;
    await records.query(insert);
    await eventually(async () => {
      expect(await records.query('SELECT 1 FROM link_requests')).toEqual([]);
    }, PATIENT);
  });
});

describe('a service whose every connection is in use', () => {
  const MANY = inForm({ short: 16, long: 40 });

  it('serves them all from its first moment, and when its configuration has just changed', async () => {
    const service = await startService({ environment: { DATABASE_POOL: '2' } });
    try {
      const partner = partnerClient(service);
      const startMany = async () => {
        const calls = Array.from({ length: MANY }, () => partner.initiate(loanRequest()));
        return (await Promise.all(calls)).filter(({ status }) => status !== 200);
      };
      expect(await startMany()).toEqual([]);
      const database = service.get<Database>(Database);
      await database.query('UPDATE configuration SET revision = revision + 1');
      await service.travel(1_000);
      expect(await startMany()).toEqual([]);
      const productCode = 'ONLINE_GOLD';
      await Promise.all([
        journeyIn(partner, 'SANCTIONED'),
        journeyIn(partner, 'SANCTIONED', { productCode }),
      ]);
    } finally {
      await service.close();
    }
  });
});
