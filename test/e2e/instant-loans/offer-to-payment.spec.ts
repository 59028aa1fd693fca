import { describe, expect, it } from 'vitest';
import { SHORTEST_PAGE_LIFE_MS } from '../../../src/payments/index.js';
import { formatDateTime } from '../../../src/platform/index.js';
import {
  ApplicantBrowser,
  openGateway,
  orderFee,
  paymentFormOf,
} from '../../support/instant-loans.js';
import { HOUR, MINUTE } from './instant-loan-bench.js';
import { DAY, OfferStage, pageAt } from './offer-stage.js';
import { endsIn, offerIds, payForm } from './two-offers.js';
import { ofFile } from '../../support/of-file.js';

const stage = ofFile(() => OfferStage.open());

const UNPAID = 'You paid nothing and owe nothing.';

const doneOf = (redirectUrl: string) => `${new URL(redirectUrl).pathname}/done`;

it('a lender that is switched off after it alone made an offer is only paid for what was ordered before', async () => {
  const loan = await stage.offeredAt(10_000);
  const { id, redirectUrl } = loan;
  const browser = new ApplicantBrowser();
  const form = await payForm(browser, loan);
  await stage.without('navdhara', async () => {
    expect((await browser.send(redirectUrl, form)).location).toBe(doneOf(redirectUrl));
    const { location } = await browser.open(`${redirectUrl}/done`);
    expect(location).toBe(new URL(redirectUrl).pathname);
    const page = await pageAt(redirectUrl);
    for (const words of ['This loan can’t be had now', UNPAID]) expect(page).toContain(words);
    expect(paymentFormOf(page)).toBeUndefined();
  });
  expect(await stage.ordersOf(id)).toEqual([]);
  await orderFee(stage.bench.records, loan);
  await stage.without('navdhara', async () => void (await stage.bench.atGateway(loan, 'pay')));
  await stage.bench.reaches(id, 'SANCTIONED');
  expect(await stage.ordersOf(id)).toHaveLength(1);
});

describe('the button', () => {
  it('leads to no payment before there is an offer; then it orders one payment, however often it is pressed', async () => {
    const loan = await stage.offeredAt(60_000);
    const browser = new ApplicantBrowser();
    const form = await payForm(browser, loan);
    const early = await stage.create();
    const pressed = await browser.send(early.redirectUrl, form);
    expect([pressed.status, pressed.location]).toEqual([303, doneOf(early.redirectUrl)]);
    expect(await stage.ordersOf(early.id)).toEqual([]);
    expect(await stage.bench.trail(early.id)).toEqual(['STARTED INITIATED']);
    const { id, redirectUrl } = loan;
    const presses = [1, 2, 3].map(() => openGateway(new ApplicantBrowser(), redirectUrl));
    expect(new Set(await Promise.all(presses)).size).toBe(1);
    expect(await stage.ordersOf(id)).toHaveLength(1);
    expect((await stage.bench.trail(id)).slice(2)).toEqual([
      'FEE_ASKED FEE_PENDING',
      'OFFER_SELECTED FEE_PENDING',
      'KEY_FACTS_ACKNOWLEDGED FEE_PENDING',
      'FEE_ORDERED FEE_PENDING',
    ]);
  });
});

describe('an application with an offer', () => {
  it('ends with it, when that is sooner than the time to pay', async () => {
    const loan = await stage.offeredAt(60_000);
    const { id } = loan;
    const { navdhara } = await offerIds(stage, id);
    const validUntil = await endsIn(stage, 2 * DAY, navdhara);
    await orderFee(stage.bench.records, loan);
    expect((await stage.bench.row(id)).expires_at).toEqual(validUntil);
    expect((await stage.ordersOf(id))[0].expires).toEqual(validUntil);
    await stage.bench.service.travel(2 * DAY + MINUTE);
    await stage.bench.reaches(id, 'EXPIRED');
    expect(await stage.withdrawals(id)).toEqual(['ABANDONED navdhara']);
  });

  it('cannot be paid any more when a payment page would be open after its end', async () => {
    const loan = await stage.offeredAt(60_000);
    const { id, redirectUrl } = loan;
    const { created_at: createdAt } = await stage.bench.row(id);
    const end = createdAt.getTime() + 72 * HOUR;
    const left = end - stage.bench.service.now().getTime();
    await stage.bench.service.travel(left - 17 * MINUTE);
    const browser = new ApplicantBrowser();
    const form = await payForm(browser, loan);
    const { text } = await browser.open(redirectUrl);
    const last = formatDateTime('en', new Date(end - SHORTEST_PAGE_LIFE_MS));
    expect(text).toContain(`Pay by ${last}, `);
    await stage.bench.service.travel(2 * MINUTE);
    expect((await browser.open(redirectUrl)).location).toBe(doneOf(redirectUrl));
    expect((await browser.send(redirectUrl, form)).location).toBe(doneOf(redirectUrl));
    expect(await stage.ordersOf(id)).toEqual([]);
    await stage.bench.reaches(id, 'EXPIRED');
    const page = await pageAt(`${redirectUrl}/done`);
    const back = `applicationId&#x3D;${id}&amp;status&#x3D;EXPIRED`;
    for (const words of ['The time to pay is over', UNPAID, back]) expect(page).toContain(words);
  });
});
