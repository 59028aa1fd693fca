import { createHash } from 'node:crypto';
import type { FakeRazorpay } from '../../support/fake-razorpay.ts';
import { Findings } from '../run-parts.ts';
import type { PolledEvent } from '../webhooks/poller.ts';
import { streamFindings } from '../webhooks/stream-findings.ts';
import { DECLINED_AFTER_PAYMENT, type DrivenInstantLoan } from './driven-instant-loan.ts';

interface LoanRow {
  id: string;
  status: string;
  counted: string[];
}

/** What must be true of events and money after the primary was lost; each finding is a violation. */
export class FailoverVerdict extends Findings {
  async onStream(polled: readonly PolledEvent[]): Promise<void> {
    const rows = await this.query<{ id: string; body: string }>(
      'SELECT id, body FROM webhook_events',
    );
    const known = rows.map(({ id, body }): [string, string[]] => [
      id,
      [createHash('sha256').update(body, 'utf8').digest('hex')],
    ]);
    this.findings.push(...streamFindings(polled, new Map(known)));
  }

  async onLoans(loans: readonly DrivenInstantLoan[], razorpay: FakeRazorpay): Promise<void> {
    const rows = await this.query<LoanRow>(LOANS);
    const byId = new Map(rows.map((row) => [row.id, row]));
    this.check(rows.length === loans.length, `${rows.length} loans, not ${loans.length}`);
    this.check(
      razorpay.links.size === loans.length,
      `${razorpay.links.size} orders at the gateway, not ${loans.length}`,
    );
    for (const { id, pan, payments } of loans) {
      const isDeclined = pan === DECLINED_AFTER_PAYMENT;
      const [payment] = payments;
      const row = byId.get(id ?? '');
      if (!row || !payment) {
        this.findings.push(`a loan ${id ?? '(never answered)'} was not paid for, or is not there`);
        continue;
      }
      const status = isDeclined ? 'REJECTED' : 'SANCTIONED';
      this.check(row.status === status, `${row.id} is ${row.status}, not ${status}`);
      const counted = row.counted.join();
      this.check(counted === payment.id, `${row.id} counts the payments ${counted || '(none)'}`);
      const refunds = razorpay.refunds.of(payment.id).length;
      this.check(refunds === (isDeclined ? 1 : 0), `${row.id} has ${refunds} refunds`);
      const back = razorpay.refunds.totalOf(payment.id);
      this.check(back === (isDeclined ? payment.amount : 0), `${row.id} got ${back} paise back`);
    }
  }
}

const LOANS = `
  SELECT l.id, j.state AS status, ARRAY(SELECT p.gateway_payment_id FROM payments p
      JOIN payment_orders o ON o.id = p.order_id
      WHERE o.subject_id = j.id AND p.is_counted) AS counted
  FROM instant_loans l JOIN journeys j ON j.id = l.journey_id
`;
