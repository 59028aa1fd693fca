import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import {
  ApplicantBrowser,
  atSandboxGateway,
  openGateway,
  untilOffered,
} from '../../support/instant-loans.js';
import { InstantLoanBench, PATIENT } from './instant-loan-bench.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => InstantLoanBench.open());

const TRAIL = [
  'STARTED INITIATED',
  'OFFERS_ARRIVED OFFERS_RECEIVED',
  'FEE_ASKED FEE_PENDING',
  'OFFER_SELECTED FEE_PENDING',
  'KEY_FACTS_ACKNOWLEDGED FEE_PENDING',
  'FEE_ORDERED FEE_PENDING',
  'FEE_TAKEN FEE_PENDING',
  'FEE_PAID DECISION_PENDING',
  'LOAN_SANCTIONED SANCTIONED',
];

it('the way from the call to the sanction goes by the link of the SMS, the offers, the pay page and the gateway; is on the list of leads, and emits no event of a journey', async () => {
  const mobile = newMobile();
  const loan = await bench.create({ mobile, loanAmount: 25_000 });
  expect(loan).toEqual({
    applicationId: expect.stringMatching(/^app_[0-9a-f]{32}$/),
    journeyId: expect.stringMatching(/^jrn_[0-9a-f]{32}$/),
    redirectUrl: expect.stringContaining(`${bench.service.baseUrl}/pay/`),
    smsSent: true,
  });
  expect(await bench.status(loan.applicationId)).toBe('PAYMENT_PENDING');
  const [sms] = await bench.inbox(mobile);
  expect(sms.links).toEqual([loan.redirectUrl]);

  const browser = new ApplicantBrowser();
  const page = await untilOffered(browser, sms.links[0]);
  expect(page.text).toContain('₹25,000');
  const gatewayUrl = await openGateway(browser, loan.redirectUrl);
  expect(gatewayUrl).toContain('/sandbox/payment/');
  const back = await atSandboxGateway(browser, gatewayUrl, 'pay');
  expect(back.location).toBe(`${loan.redirectUrl}/done`);

  await bench.reaches(loan.applicationId, 'SANCTIONED');
  expect((await browser.open(back.location)).text).toContain(' loan is approved');
  expect(await bench.trail(loan.applicationId)).toEqual(TRAIL);
  expect(await bench.flags(loan.applicationId)).toEqual([]);
  // This lender does not report payouts.
  const rows = await bench.records.query(
    'SELECT DISTINCT is_payout_told AS "isTold" FROM lender_references WHERE application_id = $1',
    [loan.applicationId],
  );
  expect(rows).toEqual([{ isTold: false }]);

  const { json } = await bench.demo.get<{ leads: object[] }>(
    '/leads?loanType=ONLINE_INSTANT&limit=1',
  );
  expect(json.data.leads).toEqual([
    {
      applicationId: loan.applicationId,
      journeyId: loan.journeyId,
      loanType: 'ONLINE_INSTANT',
      loanAmount: 25_000,
      loanAmountSource: 'PARTNER',
      status: 'SANCTIONED',
      submittedAt: expect.any(String),
    },
  ]);
  const events = await bench.records.query<{ name: string }>(
    'SELECT DISTINCT name FROM webhook_events WHERE partner_id = $1',
    [bench.service.partnerId],
  );
  expect(events).toEqual([{ name: 'lead.status_changed' }]);
});

it('SANDX0011A: the SMS is not handed over, and the application is created all the same', async () => {
  const mobile = newMobile();
  const loan = await bench.create({ pan: 'SANDX0011A', mobile });
  expect(loan.smsSent).toBe(false);
  expect(await bench.inbox(mobile)).toEqual([]);
  const { sms_id } = await bench.row(loan.applicationId);
  const attempts = async () => {
    const [sms] = await bench.records.query<{ attempts: number; status: string }>(
      'SELECT attempts, status FROM sms_messages WHERE id = $1',
      [sms_id],
    );
    return sms;
  };
  expect((await attempts()).status).toBe('WAITING');
  await bench.service.travel(60_000);
  await eventually(async () => expect((await attempts()).attempts).toBeGreaterThan(1), PATIENT);
});
