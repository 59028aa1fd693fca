import type { Stage } from '../stage.ts';

/** Takes a picture of a screen when it is worth one in this scene. */
export type Shoot = (name: string) => Promise<void>;

export const unseen: Shoot = () => Promise.resolve();

const STEP_MS = 60_000;

/** From the partner's call to the first screen after the one-time code. */
export async function signIn(stage: Stage, request: object, shoot: Shoot = unseen): Promise<void> {
  const { hostedUrl } = await stage.call('/journey/initiate', request);
  await stage.goto(String(hostedUrl));
  await shoot('start');
  await stage.continue();
  await shoot('code');
  await stage.page.fill('#code', await stage.sms(/(?:^|\D)(\d{6})(?:\D|$)/));
  await stage.continue();
}

/** Consent and the check of the details: until the lenders are asked. */
export async function confirm(stage: Stage, shoot: Shoot = unseen): Promise<void> {
  await stage.page.waitForURL('**/hosted/consent');
  await shoot('consent');
  await stage.page.check('#agree');
  await stage.continue();
  if (stage.page.url().includes('/hosted/details')) await answerDetails(stage);
  await stage.page.waitForURL('**/hosted/check');
  await shoot('check');
  await stage.continue();
}

/** Answers the page that asks for what the partner left out. */
export async function answerDetails(stage: Stage): Promise<void> {
  const name = stage.page.locator('#fullName');
  if (await name.isVisible()) await name.fill('Asha Verma');
  for (const first of ['#gender', '#employmentType']) {
    if (await stage.page.locator(first).isVisible()) await stage.page.check(first);
  }
  await stage.continue();
}

export async function chooseOffer(stage: Stage, shoot: Shoot = unseen): Promise<void> {
  await stage.page.waitForURL('**/hosted/offers', { timeout: STEP_MS });
  await shoot('offers');
  await stage.page.locator('.btn:not(.btn-2):visible').first().click();
  await stage.page.waitForURL('**/confirm?*');
  await shoot('confirm');
  await stage.goto(stage.page.url().replace('/confirm', ''));
  await shoot('amount');
  await stage.page.fill('#loanAmount', '1,50,000');
  await stage.continue();
  await stage.page.check('#hasRead');
  await stage.continue();
}

/** A step at a provider: our page, the provider's, and what the provider is told there. */
export async function provider(stage: Stage, step: string, shoot: Shoot = unseen): Promise<void> {
  await stage.page.waitForURL(`**/hosted/${step}`, { timeout: STEP_MS });
  await shoot(step);
  await stage.continue();
  await stage.page.waitForURL('**/sandbox/provider/*');
  await shoot(`${step}-provider`);
  await stage.page.click('button[value="approve"]');
}

export async function bankAccount(stage: Stage, shoot: Shoot = unseen): Promise<void> {
  await stage.page.waitForURL('**/hosted/bank-account', { timeout: STEP_MS });
  await shoot('bank-account');
  await stage.page.check('[name=acctype][value=SAVINGS]');
  await stage.page.fill('#accNo', '123456789012');
  await stage.page.fill('#accNoAgain', '123456789012');
  await stage.page.fill('#ifscCode', 'HDFC0001234');
  await stage.page.getByText('HDFC Bank').waitFor();
  await shoot('bank-account-filled');
  await stage.continue();
}

/** The money is on its way, and then there. */
export async function paidOut(stage: Stage, shoot: Shoot = unseen): Promise<void> {
  await stage.page.waitForURL('**/hosted/done', { timeout: STEP_MS });
  await shoot('done');
  await stage.goto(`${stage.baseUrl}/hosted/done/cannot-pay`);
  await shoot('cannot-pay');
  await stage.goto(`${stage.baseUrl}/hosted/done`);
  await stage.continue();
  await stage.page.waitForURL('**/sandbox/partner?**');
  await shoot('back-at-partner');
}
