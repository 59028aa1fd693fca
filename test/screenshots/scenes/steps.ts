import type { Scene } from '../stage.ts';
import { bankAccount, chooseOffer, confirm, paidOut, provider, signIn } from './walk.ts';

/** How often a provider's session is opened for one journey in an hour. */
const SESSIONS_AN_HOUR = 30;

export const stepScenes: readonly Scene[] = [
  {
    name: 'personal',
    async play(stage) {
      const shoot = (name: string) => stage.shoot(`personal-${name}`);
      // As in the scene of the entry, so that the pictures of both count the same pages.
      await signIn(stage, stage.shortRequest());
      await confirm(stage);
      await chooseOffer(stage, shoot);
      await provider(stage, 'kyc', shoot);
      await bankAccount(stage, shoot);
      await provider(stage, 'mandate', shoot);
      await provider(stage, 'esign', shoot);
      await paidOut(stage, shoot);
    },
  },
  {
    name: 'gold',
    async play(stage) {
      const shoot = (name: string) => stage.shoot(`gold-${name}`);
      await signIn(stage, stage.loanRequest({ productCode: 'ONLINE_GOLD' }));
      await confirm(stage);
      await chooseOffer(stage, shoot);
      await stage.page.waitForURL('**/hosted/branch');
      await shoot('branch');
      await stage.page.locator('input[name="branchLocationId"]').first().check();
      await stage.continue();
      await provider(stage, 'kyc');
      await bankAccount(stage);
      await provider(stage, 'esign');
      await paidOut(stage, shoot);
    },
  },
  {
    name: 'money-on-its-way',
    async play(stage) {
      // The lender takes half a minute to pay out.
      const request = { productCode: 'ONLINE_GOLD' };
      await signIn(stage, stage.loanRequest(request, { pan: 'SANDX0008A' }));
      await confirm(stage);
      await chooseOffer(stage);
      await stage.page.waitForURL('**/hosted/branch');
      await stage.page.locator('input[name="branchLocationId"]').first().check();
      await stage.continue();
      await provider(stage, 'kyc');
      await bankAccount(stage);
      await provider(stage, 'esign');
      await stage.page.waitForURL('**/hosted/disbursement', { timeout: 60_000 });
      await stage.shoot('gold-money-on-its-way');
    },
  },
  {
    name: 'another-offer',
    async play(stage) {
      await signIn(stage, stage.loanRequest());
      await confirm(stage);
      await chooseOffer(stage);
      await stage.page.waitForURL('**/hosted/kyc');
      await stage.page.locator('a[href="/hosted/offers"]').click();
      await stage.page.waitForURL('**/hosted/offers');
      await stage.shoot('outcome-another-offer');
      await stage.page.locator('main .btn[href^="/hosted/offers/"]').last().click();
      await stage.page.waitForURL('**/confirm?*');
      await stage.shoot('outcome-another-offer-confirm');
    },
  },
  {
    name: 'stop',
    async play(stage) {
      await signIn(stage, stage.loanRequest());
      await confirm(stage);
      await chooseOffer(stage);
      await stage.page.waitForURL('**/hosted/kyc');
      await stage.page.locator('a[href="/hosted/stop"]').click();
      await stage.page.waitForURL('**/hosted/stop');
      await stage.shoot('outcome-stop');
      await stage.page.locator('main form button').click();
      await stage.page.locator('main form').waitFor({ state: 'detached' });
      await stage.shoot('outcome-stopped');
    },
  },
  {
    name: 'gold-stop',
    async play(stage) {
      await signIn(stage, stage.loanRequest({ productCode: 'ONLINE_GOLD' }));
      await confirm(stage);
      await chooseOffer(stage);
      await stage.page.waitForURL('**/hosted/branch');
      await stage.page.locator('input[name="branchLocationId"]').first().check();
      await stage.continue();
      await stage.page.waitForURL('**/hosted/kyc');
      await stage.page.locator('a[href="/hosted/stop"]').click();
      await stage.page.waitForURL('**/hosted/stop');
      await stage.shoot('gold-stop');
      await stage.page.locator('main form button').click();
      await stage.page.locator('main form').waitFor({ state: 'detached' });
      await stage.shoot('gold-stopped');
    },
  },
  {
    name: 'who-has-data',
    async play(stage) {
      await signIn(stage, stage.loanRequest());
      await confirm(stage);
      await chooseOffer(stage);
      await stage.page.waitForURL('**/hosted/kyc');
      await stage.page.locator('footer a[href*="data"]').click();
      await stage.shoot('common-who-has-data');
    },
  },
  {
    name: 'no-offers',
    async play(stage) {
      await signIn(stage, stage.loanRequest({}, { pan: 'SANDX0001A' }));
      await confirm(stage);
      await stage.page.waitForURL('**/hosted/rejected', { timeout: 60_000 });
      await stage.shoot('outcome-no-offers');
    },
  },
  {
    name: 'one-offer',
    async play(stage) {
      await signIn(stage, stage.loanRequest({}, { pan: 'SANDX0003A' }));
      await confirm(stage);
      await stage.page.waitForURL('**/hosted/offers', { timeout: 60_000 });
      await stage.shoot('outcome-one-offer');
    },
  },
  {
    name: 'kyc-again',
    async play(stage) {
      await signIn(stage, stage.loanRequest({}, { pan: 'SANDX0004A' }));
      await confirm(stage);
      await chooseOffer(stage);
      await provider(stage, 'kyc');
      await stage.page.waitForURL('**/hosted/kyc');
      await stage.shoot('outcome-kyc-again');
    },
  },
  {
    name: 'kyc-often',
    async play(stage) {
      await signIn(stage, stage.loanRequest());
      await confirm(stage);
      await chooseOffer(stage);
      await stage.page.waitForURL('**/hosted/kyc');
      const redirect = await stage.page.locator('main .btn:not(.btn-2)').getAttribute('href');
      await stage.continue();
      await stage.page.waitForURL('**/sandbox/provider/*');
      for (let time = 1; time < SESSIONS_AN_HOUR; time += 1) {
        await stage.page.request.get(String(redirect), { maxRedirects: 0 });
      }
      await stage.goto(String(redirect));
      await stage.shoot('common-please-wait');
    },
  },
  {
    name: 'kyc-undecided',
    async play(stage) {
      await signIn(stage, stage.loanRequest({}, { pan: 'SANDX0012A' }));
      await confirm(stage);
      await chooseOffer(stage);
      await provider(stage, 'kyc');
      await stage.page.waitForURL('**/hosted/kyc');
      await stage.shoot('outcome-kyc-undecided');
    },
  },
  {
    name: 'bank-account-mistakes',
    async play(stage) {
      await signIn(stage, stage.loanRequest());
      await confirm(stage);
      await chooseOffer(stage);
      await provider(stage, 'kyc');
      await stage.page.waitForURL('**/hosted/bank-account');
      await stage.page.fill('#accNo', '12345');
      await stage.continue();
      await stage.shoot('personal-bank-account-mistakes');
    },
  },
];
