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

/** Waits are generous: a loaded machine is slow, and no wait here is ever used up. */
export const PATIENT = { withinMs: 30_000 };

/** An application as its row has it. */
export interface LoanRow extends Record<string, unknown> {
  id: string;
  status: string;
  fee: number;
  lender_code: string;
  created_at: Date;
  expires_at: Date;
  /** Null before the applicant first goes on to the payment. */
  payment_order_id: string;
  sms_id: string;
  gateway_payment_id: string | null;
  key_facts_hash: string;
}

export interface InboxSms {
  readonly text: string;
  readonly links: string[];
}

/** The shared service for one test file, a partner of its own, and a look at the database. */
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

  /** An application of which no lender need have said anything yet. */
  async create(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
    const { status, json } = await applyForInstantLoan(this.demo, options);
    if (status !== 200)
      throw new Error(`instant-loans answered ${status}: ${JSON.stringify(json)}`);
    return json.data;
  }

  /** An application with offers, of which none is chosen where there are several. */
  async offered(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
    const loan = await this.create(options);
    await this.isOffered(loan.applicationId);
    return loan;
  }

  /** An application whose applicant has chosen the offer that leads: it can be paid for. */
  async apply(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
    const loan = await this.offered(options);
    await new ApplicantBrowser().openToPay(loan.redirectUrl);
    return loan;
  }

  /** One whose lenders take their time: two answer after ten seconds, the third one never. */
  async applySlowly(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
    const loan = await this.create({ ...options, pan: 'SANDX0002A' });
    await this.service.travel(11_000);
    await eventually(async () => (await this.answered(loan)) === 2, PATIENT);
    await this.service.travel(2 * MINUTE);
    await this.isOffered(loan.applicationId);
    return loan;
  }

  /** One whose applicant has gone on to the gateway's page, and done nothing there. */
  async order(options: InstantLoanOptions = {}): Promise<CreatedInstantLoan> {
    const loan = await this.apply(options);
    await orderFee(this.records, loan);
    return loan;
  }

  async isOffered(id: string): Promise<void> {
    await eventually(async () => {
      if ((await this.row(id)).lender_code !== null) return true;
      this.lookForWork();
      return false;
    }, PATIENT);
  }

  /** How many lenders have answered an application. */
  async answered({ applicationId }: CreatedInstantLoan): Promise<number> {
    const rows = await this.records.query(
      'SELECT 1 FROM instant_offers WHERE application_id = $1',
      [applicationId],
    );
    return rows.length;
  }

  /** The applicant goes from our page to the gateway's and does this there. */
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

  /** The status as the partner reads it. */
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

  /** What is due is begun now, and not at the service's next look within a second. */
  private lookForWork(): void {
    this.service.get<DuePoller>(DuePoller).lookNow();
  }

  async row(id: string): Promise<LoanRow> {
    const [row] = await this.records.query<LoanRow>('SELECT * FROM instant_loans WHERE id = $1', [
      id,
    ]);
    return row;
  }

  /** The audit of an application in its order, without what each lender answered. */
  async trail(id: string): Promise<string[]> {
    const rows = await this.records.query<{ step: string }>(
      `SELECT trigger || ' ' || to_status AS step FROM instant_loan_audit
       WHERE application_id = $1 AND trigger NOT IN ('LENDER_ANSWERED', 'LENDER_MISSED') ORDER BY id`,
      [id],
    );
    return rows.map(({ step }) => step);
  }

  async flags(id: string): Promise<string[]> {
    const rows = await this.records.query<{ kind: string }>(
      'SELECT kind FROM operator_flags WHERE subject_id = $1 ORDER BY id',
      [id],
    );
    return rows.map(({ kind }) => kind);
  }

  /** A payment as the payments module records it before it tells of it. */
  async recordPayment(id: string, orderId: string, gatewayPaymentId: string): Promise<void> {
    await this.records.query(
      `INSERT INTO payments (partner_id, subject_id, order_id, gateway, gateway_payment_id, amount,
         currency, is_counted, source, paid_at)
       SELECT partner_id, id, $2, 'sandbox', $3, fee, 'INR', true, 'CALLBACK', app_now()
       FROM instant_loans WHERE id = $1
       ON CONFLICT DO NOTHING`,
      [id, orderId, gatewayPaymentId],
    );
  }

  /** Why money of an application goes back. */
  async refunds(id: string): Promise<string[]> {
    const rows = await this.records.query<{ reason: string }>(
      'SELECT reason FROM payment_refunds WHERE subject_id = $1 ORDER BY id',
      [id],
    );
    return rows.map(({ reason }) => reason);
  }

  /** What the sandbox's gateway has for this telephone. */
  async inbox(mobile: string): Promise<InboxSms[]> {
    const answer = await fetch(`${this.service.baseUrl}/sandbox/inbox.json?mobile=${mobile}`);
    const { data } = (await answer.json()) as { data: { messages: InboxSms[] } };
    return data.messages;
  }

  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.service.get<Database>(Database).transaction(work);
  }
}

/** Presses the button of the page that is at the link at this moment, its box ticked; the first offer is chosen before. */
export async function pressToPay(pages: InstantLoanPages, redirectUrl: string) {
  await new ApplicantBrowser().openToPay(redirectUrl);
  const token = new URL(redirectUrl).pathname.split('/').at(-1)!;
  const view = await pages.view(token, 'en');
  const keyFactsHash = view?.hasOffer ? view.keyFactsHash : '';
  return pages.pay(token, { hasRead: true, keyFactsHash, language: 'en' });
}
