import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Data } from '../../../clients/node/src/index.ts';
import { createApplicantA, personalDataOf } from '../applicants.ts';
import { Browser } from '../browser.ts';
import type { Page } from '../browser.ts';
import { chooseFirstOffer, hasOffers } from '../first-offer.ts';
import type { Stage } from '../stage.ts';

type CreatedInstantLoan = Data<'createInstantLoan'>;

const POLL_MS = 1_000;
const STATUS_BOUND_MS = 30_000;

/** An instant loan through the link of the SMS: an offer, a payment at once, and the sanction. */
export async function runInstantLoan(stage: Stage): Promise<void> {
  const { loan, smsLink } = await apply(stage, 'Lakshmi Venkataraman');
  await checkWaiting(stage, loan);
  const { browser, payment } = await goToPayment(stage, smsLink);
  await pressAtGateway(stage, browser, payment, 'pay');
  await waitForStatus(stage, loan, 'SANCTIONED');
  const page = await browser.open(`${loan.redirectUrl}/done`);
  stage.checks.that(page.status === 200, 'the applicant’s page shows it, too');
}

/** An instant loan whose first payment fails; the second succeeds. */
export async function runInstantLoanPaidAtSecondTry(stage: Stage): Promise<void> {
  const { loan } = await apply(stage, 'Harpreet Gill');
  await checkWaiting(stage, loan);
  const { browser, payment } = await goToPayment(stage, loan.redirectUrl);
  await pressAtGateway(stage, browser, payment, 'fail');
  await waitForStatus(stage, loan, 'PAYMENT_FAILED');
  const again = await goToPayment(stage, loan.redirectUrl, browser);
  await pressAtGateway(stage, browser, again.payment, 'pay');
  await waitForStatus(stage, loan, 'SANCTIONED');
}

/** An instant loan without an offer: it ends without a payment. */
export async function runInstantLoanWithoutOffer(stage: Stage): Promise<void> {
  const { loan } = await apply(stage, 'Imran Qureshi', 'SANDX0001A');
  await waitForStatus(stage, loan, 'REJECTED');
  const page = await new Browser().open(`${loan.redirectUrl}/done`);
  stage.checks.that(page.html.includes('No offer this time'), 'the applicant’s page shows that');
}

async function apply(
  stage: Stage,
  fullName: string,
  pan?: string,
): Promise<{ loan: CreatedInstantLoan; smsLink: string }> {
  const applicant = createApplicantA(fullName, pan);
  for (const value of personalDataOf(applicant)) stage.personalData.add(value);
  const { mobile, customer } = applicant;
  const body = { mobile, customer, loanAmount: 25_000 };
  const idempotencyKey = randomUUID();
  const loan = await stage.client.createInstantLoan(body, { idempotencyKey });
  stage.timeline.tell('partner', `applied for an instant loan: ${loan.applicationId}`);
  stage.checks.that(/^app_[0-9a-f]{32}$/.test(loan.applicationId), 'applicationId is an id');
  stage.checks.same(loan.smsSent, true, 'the SMS was sent');
  const repeated = await stage.client.createInstantLoan(body, { idempotencyKey });
  stage.checks.same(repeated, loan, 'the same Idempotency-Key gets the same answer');
  const links = await linksInInbox(stage, mobile);
  stage.checks.same(links, [loan.redirectUrl], 'the applicant has one SMS, with the redirectUrl');
  return { loan, smsLink: links[0] ?? loan.redirectUrl };
}

/** Without an offer, the wait may be over before the first read. */
async function checkWaiting(stage: Stage, loan: CreatedInstantLoan): Promise<void> {
  const status = await statusOf(stage, loan);
  stage.checks.same(status, 'PAYMENT_PENDING', 'it waits for offers and the fee');
}

/** Reads the sandbox's inbox instead of the applicant's phone. */
async function linksInInbox(stage: Stage, mobile: string): Promise<string[]> {
  const response = await fetch(`${stage.baseUrl}/sandbox/inbox.json?mobile=${mobile}`);
  const { data } = (await response.json()) as { data: { messages: { links: string[] }[] } };
  stage.timeline.tell('applicant', `has ${data.messages.length} SMS`);
  return data.messages.flatMap(({ links }) => links);
}

/** Reloads the page of our link until a lender has made an offer, as the page does itself. */
async function openOffer(stage: Stage, link: string, browser: Browser): Promise<Page> {
  const end = performance.now() + STATUS_BOUND_MS;
  for (;;) {
    const page = await browser.open(link);
    if (hasOffers(page)) return page;
    stage.timeline.tell('applicant', 'reads the list of asked lenders');
    if (performance.now() > end) throw new Error('no lender has made an offer');
    await sleep(POLL_MS);
  }
}

/** Opens our link, chooses an offer, reads the cost, and continues to the gateway's page. */
async function goToPayment(
  stage: Stage,
  link: string,
  browser = new Browser(),
): Promise<{ browser: Browser; payment: Page }> {
  const offers = await openOffer(stage, link, browser);
  stage.timeline.tell('applicant', `opens ${offers.url.pathname.slice(0, 12)}… of the SMS`);
  const page = await chooseFirstOffer(browser, offers);
  const says = ['₹25,000', 'APR', 'Key Facts Statement'].filter((text) => page.html.includes(text));
  stage.checks.same(says.length, 3, 'the page shows the loan, its APR and the Key Facts Statement');
  const payment = await browser.submit(page, page.url.pathname, { hasRead: '1' });
  const isGateway = payment.url.pathname.startsWith('/sandbox/payment/');
  stage.checks.that(isGateway, 'its button leads to the payment gateway', payment.url.pathname);
  return { browser, payment };
}

async function pressAtGateway(
  stage: Stage,
  browser: Browser,
  payment: Page,
  outcome: 'pay' | 'fail',
): Promise<void> {
  stage.timeline.tell('applicant', outcome === 'pay' ? 'pays the fee' : 'has a payment that fails');
  const back = await browser.press(payment, 'outcome', outcome);
  const isBack = back.url.pathname.endsWith('/done') && back.status === 200;
  stage.checks.that(isBack, 'the gateway returns to the applicant’s page', back.url.pathname);
}

async function statusOf(stage: Stage, loan: CreatedInstantLoan): Promise<string> {
  return (await stage.client.readLeadStatus(loan.applicationId)).status;
}

/** @throws Error when the application does not reach the status within half a minute */
async function waitForStatus(
  stage: Stage,
  loan: CreatedInstantLoan,
  wanted: string,
): Promise<void> {
  const end = performance.now() + STATUS_BOUND_MS;
  let status = '';
  while (performance.now() < end) {
    status = await statusOf(stage, loan);
    stage.timeline.tell('service', `the application is ${status}`);
    if (status === wanted) break;
    await sleep(POLL_MS);
  }
  stage.checks.same(status, wanted, `the status becomes ${wanted}`);
  if (status !== wanted) throw new Error(`the application is ${status}`);
}
