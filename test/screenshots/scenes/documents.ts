import type { Scene } from '../stage.ts';
import { confirm, signIn } from './walk.ts';

export const documentScenes: readonly Scene[] = [
  {
    name: 'documents',
    async play(stage) {
      await signIn(stage, stage.loanRequest());
      await confirm(stage);
      await stage.page.waitForURL('**/hosted/offers', { timeout: 60_000 });
      const link = stage.page.locator('a[href*="/kfs/"]').first();
      await stage.goto((await link.getAttribute('href')) ?? '');
      await stage.shoot('documents-key-facts');
      await stage.goto(`/sandbox/inbox?mobile=${stage.mobile}`);
      await stage.shoot('documents-sms-inbox');
    },
  },
];
