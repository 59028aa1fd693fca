import type { InstantLoanPages } from '../../../src/instant-loans/index.js';
import { Database, DuePoller, type Tx } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  atSandboxGateway,
  type CreatedInstantLoan,
  type InstantLoanOptions,
  openGateway,
  orderFee,
} from '../../support/instant-loans.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** For a loaded machine. */
export const PATIENT = { withinMs: 30_000 };

/** The rows of an application. Fee and choice are the newest ones, or null. */
export interface LoanRow {
  id: string;
  journey_id: string;
  /** The state of the journey. */
  state: string;
  loan_amount: number;
  created_at: Date;
  sms_id: string;
  offer_id: string | null;
  lender_code: string;
  fee: number;
  fee_on_decline: string;
  expires_at: Date;
  /** Null before the applicant first continues to the payment. */
  payment_order_id: string;
  gateway_payment_id: string | null;
  key_facts_hash: string;
}

const ROW = `
  SELECT l.id, l.journey_id, l.sms_id, j.state, j.loan_amount::int, j.created_at,
    j.selected_offer_id AS offer_id, o.lender_code, k.content_hash AS key_facts_hash,
    f.amount::int AS fee, f.fee_on_decline, f.expires_at,
    f.order_id AS payment_order_id, f.gateway_payment_id
  FROM instant_loans AS l JOIN journeys AS j ON j.id = l.journey_id
  LEFT JOIN journey_offers AS o ON o.id = j.selected_offer_id
  LEFT JOIN key_facts_statements AS k ON k.offer_id = o.id
  LEFT JOIN LATERAL (
    SELECT * FROM journey_fees WHERE journey_id = j.id ORDER BY redirect_id DESC LIMIT 1
  ) AS f ON j.selected_offer_id IS NOT NULL
  WHERE l.id = $1`;

/** The journey of an application, which has its payments, questions and flags. */
export const JOURNEY = 'SELECT journey_id FROM instant_loans WHERE id = $1';

export interface InboxSms {
  readonly text: string;
  readonly links: string[];
}

/** The shared service with a partner for one test file, and its database. */
export class InstantLoanBench {
  readonly demo: PartnerClient;
  readonly records: JourneyRecords;

  constructor(readonly service: TestService) {
    this.demo = partnerClient(service);
    this.records = new JourneyRecords(service.databaseUrl);
  }

  static async open(): Promise<InstantLoanBench> {
    return new InstantLoanBench(await sharedService());
  }

  close(): Promise<void> {
    return this.records.close();
  }

  /** An application; its lenders may not have answered yet. */
  async create(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
    const { status, json } = await applyForInstantLoan(this.demo, options);
    if (status !== 200)
      throw new Error(`instant-loans answered ${status}: ${JSON.stringify(json)}`);
    return json.data;
  }

  /** An application with offers, none chosen. */
  async offered(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
    const loan = await this.create(options);
    await this.isOffered(loan.applicationId);
    return loan;
  }

  /** An application whose first offer can be paid for. */
  async apply(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
    const loan = await this.offered(options);
    await new ApplicantBrowser().openToPay(loan.redirectUrl);
    return loan;
  }

  /** Two of its lenders answer after ten seconds, the third never. */
  async applySlowly(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
    const loan = await this.create({ ...options, pan: 'SANDX0002A' });
    await this.service.travel(11_000);
    await eventually(async () => (await this.answered(loan)) === 2, PATIENT);
    await this.service.travel(2 * MINUTE);
    await this.isOffered(loan.applicationId);
    return loan;
  }

  /** An application whose applicant has opened the gateway's page. */
  async order(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
    const loan = await this.apply(options);
    await orderFee(this.records, loan);
    return loan;
  }

  async isOffered(id: string): Promise<void> {
    await eventually(async () => {
      if ((await this.row(id)).state !== 'INITIATED') return true;
      this.lookForWork();
      return false;
    }, PATIENT);
  }

  /** The number of processed lender answers of the application. */
  async answered({ applicationId }: CreatedInstantLoan): Promise<number> {
    const rows = await this.records.query(
      `SELECT 1 FROM lender_inbox
       WHERE subject_id IN (${JOURNEY}) AND kind = 'OFFERS' AND consumed_at IS NOT NULL`,
      [applicationId],
    );
    return rows.length;
  }

  /** The applicant goes from our page to the gateway's, and acts there. */
  async atGateway(
    { redirectUrl }: CreatedInstantLoan,
    outcome: 'pay' | 'fail' | 'leave',
    options: { twice?: boolean; late?: boolean } = {},
  ): Promise<ApplicantBrowser> {
    const browser = new ApplicantBrowser();
    const gatewayUrl = await openGateway(browser, redirectUrl);
    await atSandboxGateway(browser, gatewayUrl, outcome, options);
    return browser;
  }

  /** The status that the partner reads. */
  async status(applicationId: string): Promise<string> {
    const { json } = await this.demo.get<{ status: string }>(`/leads/${applicationId}/status`);
    return json.data.status;
  }

  async reaches(applicationId: string, status: string): Promise<void> {
    await eventually(async () => {
      const now = await this.status(applicationId);
      if (now === status) return;
      this.lookForWork();
      throw new Error(`${applicationId} is ${now}, not ${status}`);
    }, PATIENT);
  }

  /** Runs due work now instead of within a second. */
  private lookForWork(): void {
    this.service.get<DuePoller>(DuePoller).lookNow();
  }

  async row(id: string): Promise<LoanRow> {
    const [row] = await this.records.query<LoanRow & Record<string, unknown>>(ROW, [id]);
    return row;
  }

  /** The audit of an application's journey, in order. */
  async trail(id: string): Promise<string[]> {
    const rows = await this.records.query<{ step: string }>(
      `SELECT trigger || ' ' || to_state AS step FROM journey_audit AS a
       JOIN instant_loans AS l ON l.journey_id = a.journey_id WHERE l.id = $1 ORDER BY a.id`,
      [id],
    );
    return rows.map(({ step }) => step);
  }

  /** The statements that the applicant agreed to. */
  async agreements(id: string): Promise<{ hash: string; language: string }[]> {
    return this.records.query(
      `SELECT acknowledged_hash AS hash, acknowledged_language AS language
       FROM key_facts_statements
       WHERE journey_id IN (${JOURNEY}) AND acknowledged_at IS NOT NULL`,
      [id],
    );
  }

  async flags(id: string): Promise<string[]> {
    const rows = await this.records.query<{ kind: string }>(
      `SELECT kind FROM operator_flags WHERE subject_id IN (${JOURNEY}) ORDER BY id`,
      [id],
    );
    return rows.map(({ kind }) => kind);
  }

  /** Inserts a payment, as the payments module does before its notice. */
  async recordPayment(id: string, orderId: string, gatewayPaymentId: string): Promise<void> {
    await this.records.query(
      `INSERT INTO payments (partner_id, subject_id, order_id, gateway, gateway_payment_id, amount,
         currency, is_counted, source, paid_at)
       SELECT partner_id, subject_id, id, 'sandbox', $3, amount, 'INR', true, 'CALLBACK', app_now()
       FROM payment_orders WHERE subject_id IN (${JOURNEY}) AND id = $2
       ON CONFLICT DO NOTHING`,
      [id, orderId, gatewayPaymentId],
    );
  }

  /** The reasons of an application's refunds. */
  async refunds(id: string): Promise<string[]> {
    const rows = await this.records.query<{ reason: string }>(
      `SELECT reason FROM payment_refunds WHERE subject_id IN (${JOURNEY}) ORDER BY id`,
      [id],
    );
    return rows.map(({ reason }) => reason);
  }

  /** The texts that the sandbox's gateway has for this number. */
  async inbox(mobile: string): Promise<InboxSms[]> {
    const answer = await fetch(`${this.service.baseUrl}/sandbox/inbox.json?mobile=${mobile}`);
    const { data } = (await answer.json()) as { data: { messages: InboxSms[] } };
    return data.messages;
  }

  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.service.get<Database>(Database).transaction(work);
  }
}

/** Ticks the box and presses the payment page's button; of several offers the first is chosen. */
export async function pressToPay(pages: InstantLoanPages, redirectUrl: string) {
  await new ApplicantBrowser().openToPay(redirectUrl);
  const token = new URL(redirectUrl).pathname.split('/').at(-1)!;
  const view = await pages.view(token, 'en');
  const keyFactsHash = view.hasOffer ? view.keyFactsHash : '';
  return pages.pay(token, { hasRead: true, keyFactsHash, language: 'en' });
}
