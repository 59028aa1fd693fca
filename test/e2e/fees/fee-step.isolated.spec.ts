// Isolated: its own configuration, with a fee in two products; moves the time.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SettlementTasks } from '../../../src/instant-loans/fee/fee-settlement.js';
import { FeeNotices } from '../../../src/instant-loans/fee/fee-notices.js';
import { PaymentInbox } from '../../../src/payments/index.js';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { ApplicantBrowser, atSandboxGateway } from '../../support/instant-loans.js';
import {
  act,
  driveTo,
  journeyIn,
  readJourney,
  type StartedJourney,
} from '../../support/journey-driver.js';
import { payFee } from '../../support/fees.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { openRedirect } from '../../support/redirect-visit.js';
import { plain } from '../../support/hosted-client.js';
import { type OwnService, startService } from '../../support/service.js';
import { StepJourney } from '../hosted-steps/step-journey.js';

interface Product {
  code: string;
  steps: string[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let configuration: TestConfiguration;
let service: OwnService;
let partner: PartnerClient;
let records: JourneyRecords;

beforeAll(async () => {
  configuration = configurationWith((own) => ({
    products: (own.products as Product[]).map((product) => ({
      ...product,
      ...(product.code === 'ONLINE_PERSONAL' && {
        steps: ['OFFERS', 'FEE', 'KYC', 'BANK_ACCOUNT', 'MANDATE', 'ESIGN', 'DISBURSEMENT'],
      }),
      ...(product.code === 'ONLINE_SHORT_TERM' && {
        steps: ['OFFERS', 'KYC', 'BANK_ACCOUNT', 'ESIGN', 'FEE', 'DISBURSEMENT'],
      }),
    })),
  }));
  service = await startService({ configFile: configuration.file });
  partner = partnerClient(service);
  records = new JourneyRecords(service.databaseUrl);
});

afterAll(async () => {
  await records?.close();
  await service?.close();
  configuration?.remove();
});

/** The fee link's target once the statement is acknowledged. */
async function gatewayOf(journey: StartedJourney): Promise<string> {
  const { currentNextAction } = await readJourney(partner, journey);
  expect(currentNextAction).toMatchObject({ type: 'REDIRECT_TO_FEE', category: 'REDIRECT' });
  const response = await openRedirect(currentNextAction.url!);
  const text = await response.text();
  const url = response.headers.get('location') ?? /content="0; url=([^"]+)"/.exec(text)?.[1];
  expect(url).toContain('/sandbox/payment');
  return url!.replaceAll('&amp;', '&');
}

async function pay(journey: StartedJourney, outcome: 'pay' | 'fail' = 'pay'): Promise<void> {
  await atSandboxGateway(new ApplicantBrowser(), await gatewayOf(journey), outcome);
}

async function expectState(journey: StartedJourney, state: string, action?: string): Promise<void> {
  await eventually(
    async () => {
      const seen = await readJourney(partner, journey);
      expect(seen.state).toBe(state);
      expect(seen.currentNextAction.type).toBe(action ?? seen.currentNextAction.type);
    },
    { withinMs: 30_000 },
  );
}

/** Which payments of a journey were refunded, and why, once everything is settled. */
async function expectRefunds({ id }: { readonly id: string }, ...reasons: string[]): Promise<void> {
  await eventually(
    async () => {
      await service.travel(11 * MINUTE);
      await service.get<SettlementTasks>(SettlementTasks).run();
      const open = await records.query(
        `SELECT 1 FROM payments WHERE subject_id = $1 AND unsettled_at IS NOT NULL
         UNION ALL SELECT 1 FROM payment_inbox WHERE subject_id = $1 AND consumed_at IS NULL`,
        [id],
      );
      expect(open).toEqual([]);
      const refunds = await records.query<{ reason: string }>(
        'SELECT reason FROM payment_refunds WHERE subject_id = $1 ORDER BY reason',
        [id],
      );
      expect(refunds.map(({ reason }) => reason)).toEqual(reasons);
    },
    { withinMs: 30_000 },
  );
}

describe('a fee before KYC, headless', () => {
  it('is paid at the gateway, and the lender pays out the whole loan', async () => {
    const journey = await journeyIn(partner, 'FEE_PENDING');
    // The partner cannot report the return from a fee: only the gateway confirms it.
    expect((await partner.returned(journey.id, journey.session, 'FEE')).status).toBe(400);
    const gateway = await gatewayOf(journey);
    await expectState(journey, 'FEE_PENDING', 'POLL_FEE_STATUS');
    await atSandboxGateway(new ApplicantBrowser(), gateway, 'pay');
    await expectState(journey, 'KYC_PENDING', 'REDIRECT_TO_KYC');
    // The chosen offer is final.
    expect((await act(partner, journey, 'SELECT_OFFER')).status).toBe(409);
    await driveTo(partner, journey, 'SANCTIONED');
    const { selectedOffer } = await readJourney(partner, journey);
    expect(selectedOffer!.netDisbursedAmount).toBe(selectedOffer!.loanAmount);
    const [{ paid }] = await records.query<{ paid: number }>(
      `SELECT (payout ->> 'amount')::int AS paid FROM journeys WHERE id = $1`,
      [journey.id],
    );
    expect(paid).toBe(selectedOffer!.loanAmount * 100);
    await expectRefunds(journey);
  });

  it('is paid although the page of the failed try closes at the same moment', async () => {
    const notices = service.get<FeeNotices>(FeeNotices);
    const inbox = service.get<PaymentInbox>(PaymentInbox);
    const apply = notices.apply.bind(notices);
    const takePaymentsOf = inbox.takePaymentsOf.bind(inbox);
    const paid = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    vi.spyOn(notices, 'apply').mockImplementation(async (tx, notice) => {
      if (notice.kind === 'PAID') {
        paid.resolve();
        await closed.promise;
      }
      await apply(tx, notice);
    });
    vi.spyOn(inbox, 'takePaymentsOf').mockImplementation(async (tx, notice) => {
      const payments = await takePaymentsOf(tx, notice);
      await paid.promise;
      return payments;
    });
    try {
      const journey = await journeyIn(partner, 'FEE_PENDING');
      await pay(journey, 'fail');
      await expectState(journey, 'FEE_PENDING', 'REDIRECT_TO_FEE');
      await pay(journey);
      await paid.promise;
      await eventually(async () => {
        const open = await records.query(
          `SELECT 1 FROM payment_inbox WHERE subject_id = $1 AND kind = 'CANCELLED' AND consumed_at IS NULL`,
          [journey.id],
        );
        expect(open).toEqual([]);
      });
      closed.resolve();
      await expectState(journey, 'KYC_PENDING');
    } finally {
      paid.resolve();
      closed.resolve();
      vi.restoreAllMocks();
    }
  });

  it('ends the journey when it is not paid within 72 hours, though its page is open', async () => {
    const journey = await journeyIn(partner, 'FEE_PENDING');
    await gatewayOf(journey);
    await service.travel(73 * HOUR);
    await expectState(journey, 'ABANDONED');
    const seen = await readJourney(partner, journey);
    expect(seen).toMatchObject({ outcome: 'ABANDONED', outcomeReason: 'PAYMENT_EXPIRED' });
  });
});

it('a fee before KYC is, hosted, on a page of its own, which says what becomes of it, and goes back when the applicant stops after the payment', async () => {
  const journey = await StepJourney.at('FEE_PENDING', service);
  const { client } = journey;
  const page = await client.open('/hosted');
  const text = plain(page.text);
  const { fee } = await journey.view();
  const amount = `₹${(fee!.amount / 100).toLocaleString('en-IN')}`;
  expect(page.path).toBe('/hosted/fee');
  expect(page.heading).toBe(`Pay ${amount} to Navdhara`);
  expect(text).toContain(`No loan in the end? All ${amount} comes back`);
  expect(text).toContain('Choose another offer');
  await payFee(fee!.url);
  const paying = await client.open('/hosted/returned/FEE');
  expect(['/hosted/fee', '/hosted/kyc']).toContain(paying.path);
  await journey.reaches('KYC_PENDING');
  const next = await client.open('/hosted');
  expect(next.path).toBe('/hosted/kyc');
  expect(plain(next.text)).not.toContain('Choose another offer');
  const stop = await client.open('/hosted/stop');
  expect(plain(stop.text)).toContain(`No loan in the end? All ${amount} comes back`);
  await client.send303();
  await journey.reaches('ABANDONED');
  await expectRefunds(journey.start, 'DECLINED');
});

it('the page of a paid-out loan reminds a borrower who leaves to ask for the charges back', async () => {
  const journey = await StepJourney.at('FEE_PENDING', service);
  await payFee((await journey.view()).fee!.url);
  await journey.driveTo('SANCTIONED');
  const page = await journey.client.open('/hosted');
  expect(page.path).toBe('/hosted/done');
  expect(plain(page.text)).toContain('Ask the lender for the charges back, too.');
});

it('a fee before the payout is paid after the signature', async () => {
  const journey = await journeyIn(partner, 'FEE_PENDING', { productCode: 'ONLINE_SHORT_TERM' });
  await pay(journey);
  await driveTo(partner, journey, 'SANCTIONED');
  expect((await readJourney(partner, journey)).outcome).toBe('SANCTIONED');
});
