import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FeeSettlement, SettlementTasks } from '../../../src/instant-loans/fee/fee-settlement.js';
import { SandboxPaymentGateway } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import {
  ApplicantBrowser,
  type CreatedInstantLoan,
  GOES_BACK,
} from '../../support/instant-loans.js';
import { HOUR, InstantLoanBench, JOURNEY, MINUTE, PATIENT } from './instant-loan-bench.js';

let bench: InstantLoanBench;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
  // It has not seen the payments that these tests write down.
  const gateway = bench.service.get<SandboxPaymentGateway>(SandboxPaymentGateway);
  vi.spyOn(gateway, 'makeRefund').mockImplementation((refund) =>
    Promise.resolve({ ...refund, gatewayRefundId: `back-${refund.key}`, status: 'DONE' }),
  );
});

afterAll(() => bench?.close());

/** On two replicas at once. */
async function looksLater(): Promise<void> {
  await bench.service.travel(12 * MINUTE);
  const tasks = bench.service.get<SettlementTasks>(SettlementTasks);
  await Promise.all([tasks.run(), tasks.run()]);
}

const pageOf = async ({ redirectUrl }: CreatedInstantLoan) =>
  (await new ApplicantBrowser().open(`${redirectUrl}/done`)).text;

const refundsAre = (id: string, reasons: string[]) =>
  eventually(async () => expect(await bench.refunds(id)).toEqual(reasons), PATIENT);

/** Every payment of the application is settled. */
const isSettled = (id: string) =>
  eventually(async () => {
    const unsettled = await bench.records.query(
      `SELECT 1 FROM payments WHERE subject_id IN (${JOURNEY}) AND unsettled_at IS NOT NULL`,
      [id],
    );
    expect(unsettled).toEqual([]);
  }, PATIENT);

describe('a declined fee', () => {
  it('whose settlement fails goes back, and the page says so from then on', async () => {
    const settle = vi
      .spyOn(bench.service.get<FeeSettlement>(FeeSettlement), 'settle')
      .mockRejectedValue(new Error('the disk is full'));
    const loan = await bench.apply({ pan: 'SANDX0013A' });
    const id = loan.applicationId;
    await bench.atGateway(loan, 'pay');
    await bench.reaches(id, 'REJECTED');
    await eventually(() => expect(settle).toHaveBeenCalled(), PATIENT);
    const [page, refunds] = [await pageOf(loan), await bench.refunds(id)];
    settle.mockRestore();
    expect(refunds).toEqual([]);
    expect(page).not.toContain('The lender keeps');
    await refundsAre(id, ['DECLINED']);
    expect(await pageOf(loan)).toMatch(GOES_BACK);
    expect(await bench.trail(id)).toContain('FEE_RETURNED REJECTED');
    await isSettled(id);
    expect(await bench.flags(id)).toEqual(['OFFER_NOT_KEPT']);
  });

  it('keeps no loan from ending while its payment is being settled', async () => {
    const loan = await bench.order({ pan: 'SANDX0013A' });
    const id = loan.applicationId;
    const declining = await HeldLock.atWrite(
      bench.service.databaseUrl,
      'BEFORE UPDATE ON journeys',
      `NEW.state = 'REJECTED' AND NEW.application_id = '${id}'`,
    );
    await bench.atGateway(loan, 'pay');
    await declining.waiting('UPDATE journeys');
    const settling = await HeldLock.take(
      bench.service.databaseUrl,
      `SELECT 1 FROM payments WHERE subject_id IN (${JOURNEY}) FOR NO KEY UPDATE`,
      [id],
    );
    await declining.release();
    await bench.reaches(id, 'REJECTED');
    expect(await bench.refunds(id)).toEqual([]);
    await settling.release();
    await looksLater();
    await refundsAre(id, ['DECLINED']);
  });
});

describe('a payment that was only recorded', () => {
  it('goes back when another counted, when it is of another amount, and when the application had expired', async () => {
    const [paid, unpaid] = [await bench.apply(), await bench.order()];
    await bench.atGateway(paid, 'pay');
    const [id, late] = [paid.applicationId, unpaid.applicationId];
    await bench.reaches(id, 'SANCTIONED');
    await looksLater();
    await isSettled(id);
    expect(await bench.refunds(id)).toEqual([]);
    const { payment_order_id: orderId, gateway_payment_id: counted } = await bench.row(id);
    for (const name of ['second', 'other']) await bench.recordPayment(id, orderId, `${id}-${name}`);
    const uncount = 'UPDATE payments SET is_counted = false WHERE gateway_payment_id = $1';
    await bench.records.query(uncount, [`${id}-other`]);
    await bench.recordPayment(late, (await bench.row(late)).payment_order_id, `${late}-late`);
    await looksLater();
    await isSettled(id);
    expect((await bench.refunds(id)).toSorted()).toEqual(['OTHER_AMOUNT', 'PAID_TWICE']);
    const back = 'SELECT 1 FROM payment_refunds WHERE gateway_payment_id = $1';
    expect(await bench.records.query(back, [counted])).toEqual([]);
    // As long as nothing is decided it waits.
    await looksLater();
    expect(await bench.refunds(late)).toEqual([]);
    await bench.service.travel(73 * HOUR);
    await bench.reaches(late, 'EXPIRED');
    await looksLater();
    await refundsAre(late, ['PAID_TOO_LATE']);
    await isSettled(late);
  });
});
