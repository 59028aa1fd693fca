import { eventuallyFound } from '../../support/eventually.ts';
import type { Scene, Stage } from '../stage.ts';

const REFUND_MS = 120_000;
const FEE_SENT = /sent back, the way you paid|उसी रास्ते वापस भेजे/;

async function apply(stage: Stage, pan: string): Promise<string> {
  const { redirectUrl } = await stage.call('/instant-loans', {
    mobile: stage.mobile,
    customer: { pan, firstName: 'Asha' },
  });
  return String(redirectUrl);
}

/** From the link to the page with the payment: the first offer is chosen, unless one is or there is no other. */
async function choose(stage: Stage, withinMs = 60_000): Promise<void> {
  const { page } = stage;
  await page.locator('.checks, .offer').first().waitFor({ timeout: withinMs });
  if ((await page.locator('.checks').count()) === 0)
    await page.locator('.offer button').first().click();
  await page.locator('.checks').waitFor();
}

/** From the page with the offers to the gateway's. */
async function orderFee(stage: Stage): Promise<void> {
  await choose(stage);
  await stage.page.check('#hasRead');
  await stage.continue();
  await stage.page.waitForURL('**/sandbox/payment/*');
}

/** The same, and what is pressed there. */
async function pay(stage: Stage, outcome: 'pay' | 'fail'): Promise<void> {
  await orderFee(stage);
  await stage.page.click(`button[value="${outcome}"]`);
}

/**
 * The page of a loan that was declined, while the fee is on its way back: that takes the sandbox two seconds, and a
 * page that waits looks again too late for it.
 */
async function declinedJustNow(stage: Stage): Promise<void> {
  const declined = stage.page.getByText(/declined this loan|यह लोन नहीं देगा/);
  await eventuallyFound(
    async () => {
      await stage.page.reload();
      return (await declined.count()) > 0 || undefined;
    },
    { withinMs: 60_000 },
  );
  const isSent = (await stage.page.getByText(FEE_SENT).count()) > 0;
  if (isSent) throw new Error('the fee was sent back before the page was seen');
}

/** The page of a loan that was declined, as soon as the gateway has sent the fee back: it does not look by itself. */
async function feeSentBack(stage: Stage): Promise<void> {
  const sent = stage.page.getByText(FEE_SENT);
  await eventuallyFound(
    async () => {
      await stage.page.reload();
      return (await sent.count()) > 0 || undefined;
    },
    { withinMs: REFUND_MS },
  );
}

export const instantScenes: readonly Scene[] = [
  {
    name: 'instant-offers',
    async play(stage) {
      await stage.goto(await apply(stage, 'SANDX0002A'));
      await stage.shoot('instant-offers');
    },
  },
  {
    name: 'instant-no-offer',
    async play(stage) {
      await stage.goto(await apply(stage, 'SANDX0001A'));
      await stage.page
        .getByRole('heading', { name: /No offer this time|इस बार कोई ऑफ़र नहीं/ })
        .waitFor({ timeout: 60_000 });
      await stage.shoot('instant-no-offer');
    },
  },
  {
    name: 'instant',
    async play(stage) {
      const link = await apply(stage, 'ABCDE1234F');
      await stage.goto(link);
      await stage.page.locator('.offer').first().waitFor({ timeout: 60_000 });
      await stage.shoot('instant-choose');
      await choose(stage);
      await stage.shoot('instant-pay');
      await stage.continue();
      await stage.shoot('instant-pay-unread');
      await stage.page.check('#hasRead');
      await stage.continue();
      await stage.page.waitForURL('**/sandbox/payment/*');
      await stage.shoot('instant-gateway');
      const gateway = stage.page.url();
      await stage.goto(`${link}/done`);
      await stage.shoot('instant-checking');
      await stage.goto(gateway);
      await stage.page.click('button[value="pay"]');
      await stage.page.waitForURL('**/done*');
      await stage.page
        .getByRole('heading', { name: /loan is approved|लोन मंज़ूर है/ })
        .waitFor({ timeout: 60_000 });
      await stage.shoot('instant-sanctioned');
    },
  },
  {
    name: 'instant-received',
    async play(stage) {
      // One lender never answers, so that the offers come with the deadline; the others take their time to decide.
      await stage.goto(await apply(stage, 'SANDX0002A'));
      await choose(stage, 240_000);
      await pay(stage, 'pay');
      await stage.page.getByText(/Approved: |मंज़ूर: /).waitFor({ timeout: 60_000 });
      await stage.shoot('instant-received');
    },
  },
  {
    name: 'instant-choice',
    async play(stage) {
      await stage.goto(await apply(stage, 'ABCDE1234F'));
      await choose(stage);
      await stage.goto(`${stage.page.url()}/offers`);
      await stage.shoot('instant-compare');
      await stage.page.locator('.offer button').last().click();
      await stage.page.locator('.checks').waitFor();
      await stage.shoot('instant-choice');
    },
  },
  {
    name: 'instant-who-has-data',
    async play(stage) {
      await stage.goto(await apply(stage, 'ABCDE1234F'));
      await choose(stage);
      await stage.page.locator('footer a[href*="data"]').click();
      await stage.shoot('instant-who-has-data');
    },
  },
  {
    name: 'instant-only-offer',
    async play(stage) {
      await stage.goto(await apply(stage, 'SANDX0003A'));
      await stage.page.locator('.checks').waitFor();
      await stage.shoot('instant-only-offer');
    },
  },
  {
    name: 'instant-closing',
    async play(stage) {
      const link = await apply(stage, 'ABCDE1234F');
      await stage.goto(link);
      await orderFee(stage);
      await stage.goto(`${link}/offers`);
      // The payment page is closed within seconds; ours looks again after four.
      await stage.page.locator('.offer button').last().click();
      await stage.page.waitForURL('**/done');
      await stage.shoot('instant-closing');
    },
  },
  {
    name: 'instant-failed',
    async play(stage) {
      await stage.goto(await apply(stage, 'SANDX0010A'));
      await pay(stage, 'fail');
      await stage.page.waitForURL('**/done*');
      await stage.page
        .getByRole('heading', { name: /did not go through|नहीं हो पाया/ })
        .waitFor({ timeout: 60_000 });
      await stage.shoot('instant-failed');
    },
  },
  {
    name: 'instant-declined',
    async play(stage) {
      await stage.goto(await apply(stage, 'SANDX0013A'));
      await pay(stage, 'pay');
      await stage.page.waitForURL('**/done*');
      await declinedJustNow(stage);
      await stage.shoot('instant-declined');
      await feeSentBack(stage);
      await stage.shoot('instant-refunded');
    },
  },
];
