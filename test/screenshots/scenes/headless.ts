import { eventuallyFound } from '../../support/eventually.ts';
import type { Scene, Stage } from '../stage.ts';

const OFFERS_MS = 60_000;

/** A journey in the partner's own app, as far as the link that the applicant is sent to. */
async function redirectLink(stage: Stage): Promise<string> {
  const request = stage.loanRequest({ channel: 'API_HEADLESS' });
  const { journeyId, journeySession } = await stage.call('/journey/initiate', request);
  const [path, session] = [`/journey/${String(journeyId)}`, String(journeySession)];
  const offerId = await eventuallyFound(
    async () => {
      const { offers } = await stage.read(path, session);
      return (offers as { offerId: string }[])[0]?.offerId;
    },
    { withinMs: OFFERS_MS },
  );
  const choice = { kind: 'SELECT_OFFER', payload: { offerId, loanAmount: 150_000 } };
  const { nextAction } = await stage.call(`${path}/action`, choice, session);
  return (nextAction as { url: string }).url;
}

export const headlessScenes: readonly Scene[] = [
  {
    name: 'headless',
    async play(stage) {
      const link = await redirectLink(stage);
      await stage.page.setExtraHTTPHeaders({ 'user-agent': 'WhatsApp/2.23.20.0 A' });
      await stage.goto(link);
      await stage.shoot('headless-link');
      await stage.page.setExtraHTTPHeaders({});
      await stage.goto(link);
      await stage.shoot('headless-acknowledge');
      await stage.page.locator('main a[href*="/kfs/"]').first().click();
      await stage.page.waitForURL('**/kfs/*');
      await stage.shoot('headless-statement');
      await stage.page.goBack();
      await stage.continue();
      await stage.shoot('headless-acknowledge-not-ticked');
      await stage.page.check('#hasRead');
      await stage.continue();
      await stage.page.waitForURL('**/sandbox/provider/*');
      await stage.shoot('headless-kyc-provider');
    },
  },
  {
    name: 'headless-stop',
    async play(stage) {
      const link = await redirectLink(stage);
      await stage.goto(link);
      await stage.page.locator('a[href$="/stop"]').click();
      await stage.page.waitForURL('**/stop');
      await stage.shoot('headless-stop');
      await stage.page.locator('main form button').click();
      await stage.page.locator('main form').waitFor({ state: 'detached' });
      await stage.shoot('headless-stopped');
    },
  },
];
