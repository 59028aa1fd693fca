// Isolated: applies other configurations on two replicas.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NewSms, SmsOutbox } from '../../../src/messaging/index.js';
import { CountedLimits, Database } from '../../../src/platform/index.js';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import {
  askForLink,
  atCode,
  codeFor,
  messagesTo,
  newMobile,
  plain,
  startHosted,
} from '../../support/hosted-client.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { partnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';
import { SmsBench, someSms } from './sms-bench.js';

describe('a mobile’s texts of a day', () => {
  const A_DAY = 4;
  const LINKS_A_DAY = 2;
  const HOUR = 3_600_000;
  let configuration: TestConfiguration;
  let replicas: TwoReplicas;
  let service: TestService;
  let records: JourneyRecords;
  let bench: SmsBench;

  beforeAll(async () => {
    configuration = configurationWith({ settings: { textsPerMobilePerDay: A_DAY } });
    replicas = await startTwoReplicas({ configFile: configuration.file });
    service = replicas.first;
    records = new JourneyRecords(service.databaseUrl);
    bench = new SmsBench(service);
  });

  afterAll(async () => {
    await records?.close();
    await replicas?.close();
    configuration?.remove();
  });

  function put(on: TestService, mobile: string, own: Partial<NewSms> = {}) {
    const applicant = { mobile, pan: 'ABCDE1234F' };
    const sms = someSms({ kind: 'ONE_TIME_CODE', applicant, ...own });
    return on
      .get<Database>(Database)
      .transaction((tx) => on.get<SmsOutbox>(SmsOutbox).put(tx, sms));
  }

  /** Uses up a mobile's limit of messages for today. */
  async function useUp(mobile: string): Promise<void> {
    for (let text = 0; text < A_DAY; text += 1) await put(service, mobile);
  }

  /** A finished refund of a journey whose applicant was not notified yet. */
  async function recordRefund(id: string): Promise<void> {
    const orderId = `pay_of_${id}`;
    await records.query(
      `INSERT INTO payment_orders (id, partner_id, subject_id, amount, expires_at, status, gateway,
       next_attempt_at)
     VALUES ($1, 'demo', $2, 100, app_now(), 'PAID', 'sandbox', NULL)`,
      [orderId, id],
    );
    await records.query(
      `INSERT INTO payments (partner_id, subject_id, order_id, gateway, gateway_payment_id, amount,
       currency, is_counted, source, paid_at, unsettled_at)
     VALUES ('demo', $2, $1, 'sandbox', $1, 100, 'INR', true, 'ASKED', app_now(), NULL)`,
      [orderId, id],
    );
    await records.query(
      `INSERT INTO payment_refunds (id, payment_id, partner_id, subject_id, order_id, gateway,
       gateway_payment_id, amount, currency, reason, status, next_attempt_at, tell_at)
     SELECT $1, id, partner_id, subject_id, order_id, gateway, gateway_payment_id, amount, currency,
       'DECLINED', 'DONE', NULL, app_now() FROM payments WHERE subject_id = $2`,
      [`rfd_of_${id}`, id],
    );
  }

  it('are no more than the setting says, over partners, replicas and simultaneous requests', async () => {
    const mobile = newMobile();
    const { first, second } = replicas;
    const puts = ['demo', 'limited', 'demo', 'limited'].flatMap((partnerId) =>
      [first, second].map((on) => put(on, mobile, { partnerId })),
    );
    const held = (await Promise.all(puts)).filter(({ isHeldBack }) => isHeldBack);
    expect(held).toHaveLength(puts.length - A_DAY);
    await eventually(async () => expect(await messagesTo(service, mobile)).toHaveLength(A_DAY));
    for (const { id } of held) {
      expect(await bench.record(id)).toMatchObject({
        status: 'REFUSED',
        attempts: 0,
        content: null,
        failure: 'the mobile’s daily limit of texts is reached',
      });
    }
    expect((await put(service, newMobile())).isHeldBack).toBe(false);
  });

  it('are links for a half at most, so that a stranger who knows a mobile does not keep its holder from a code', async () => {
    const start = await startHosted(service);
    const kinds = ['HOSTED_LINK', 'APPLICATION_LINK', 'HOSTED_LINK', 'APPLICATION_LINK'] as const;
    const held = [];
    for (const kind of kinds) held.push((await put(service, start.mobile, { kind })).isHeldBack);
    expect(held).toEqual([false, false, true, true]);
    const client = await atCode(service, start);
    expect(client.page!.text).toContain('name="code"');
    expect(await codeFor(service, start.mobile)).toMatch(/^\d{6}$/);
    expect((await put(service, start.mobile)).isHeldBack).toBe(false);
    expect((await put(service, start.mobile)).isHeldBack).toBe(true);
  });

  it('used up: an instant loan is made, with smsSent false, and its link is in the answer', async () => {
    const mobile = newMobile();
    const partner = partnerClient(service);
    const apply = async () => (await applyForInstantLoan(partner, { mobile })).json.data;
    for (let link = 0; link < LINKS_A_DAY; link += 1) expect((await apply()).smsSent).toBe(true);
    const { smsSent, redirectUrl } = await apply();
    expect(smsSent).toBe(false);
    expect(await messagesTo(service, mobile)).toHaveLength(LINKS_A_DAY);
    expect((await fetch(redirectUrl)).status).toBe(200);
  });

  it('used up: the refund message is sent when the day is over, and not noted as sent before', async () => {
    const mobile = newMobile();
    const { json } = await applyForInstantLoan(partnerClient(service), { mobile });
    const { journeyId: id } = json.data;
    await useUp(mobile);
    await recordRefund(id);
    const refund = async () => {
      const [row] = await records.query<Record<string, boolean>>(
        `SELECT tell_at > app_now() + interval '23 hours' AS "isPutOff", tell_at IS NULL AS "isSent",
           EXISTS (SELECT FROM journey_audit a
             WHERE a.journey_id = subject_id AND trigger = 'REFUND_TOLD') AS "isNoted"
         FROM payment_refunds WHERE subject_id = $1`,
        [id],
      );
      return row;
    };
    await eventually(async () =>
      expect(await refund()).toEqual({ isPutOff: true, isSent: false, isNoted: false }),
    );
    await replicas.travel(24 * HOUR + 1_000);
    await eventually(async () => {
      const [newest] = await messagesTo(service, mobile);
      expect(newest.text).toContain('has been sent back to you');
    });
    expect(await refund()).toMatchObject({ isSent: true, isNoted: true });
  });

  it('used up: a fresh link is answered in the same words and not sent; no code is sent, and the page says from when there is one', async () => {
    const start = await startHosted(service);
    await useUp(start.mobile);
    const [known, unknown] = [
      await askForLink(service, start.mobile),
      await askForLink(service, '9000000000'),
    ];
    expect([known.path, plain(known.text)]).toEqual([unknown.path, plain(unknown.text)]);
    const heldBack = `SELECT id FROM sms_messages
      WHERE subject_id = $1 AND kind = 'HOSTED_LINK' AND status = 'REFUSED'`;
    await eventually(async () => expect(await records.query(heldBack, [start.id])).toHaveLength(1));
    const client = await atCode(service, start);
    expect(plain(client.page!.text)).toMatch(/after \d+ \w+ \d{4}, \d+:\d\d [ap]m/);
    expect(client.page!.text).not.toContain('action="/hosted/code/send"');
    const codes = 'SELECT id FROM one_time_codes WHERE journey_id = $1';
    expect(await records.query(codes, [start.id])).toEqual([]);
    await eventually(async () =>
      expect(await messagesTo(service, start.mobile)).toHaveLength(A_DAY),
    );
    await replicas.travel(24 * HOUR + 1_000);
    const { link } = await startHosted(service, start);
    expect((await atCode(service, { ...start, link })).page!.text).toContain('name="code"');
    expect(await codeFor(service, start.mobile)).toMatch(/^\d{6}$/);
  });

  it('are forgotten once the day is over', async () => {
    await put(service, newMobile());
    const count = async () =>
      (await records.query<{ n: number }>('SELECT count(*)::int AS n FROM counted_limits'))[0].n;
    const limits = service.get<CountedLimits>(CountedLimits);
    await replicas.travel(24 * HOUR - 60_000);
    await put(service, newMobile());
    await limits.deleteEnded();
    expect(await count()).toBeGreaterThanOrEqual(2);
    await replicas.travel(61_000);
    await limits.deleteEnded();
    expect(await count()).toBe(1);
  });
});
