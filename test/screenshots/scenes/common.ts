import type { Scene } from '../stage.ts';

export const commonScenes: readonly Scene[] = [
  {
    name: 'common',
    async play(stage) {
      await stage.goto('/returned');
      await stage.shoot('common-returned');
      await stage.goto('/nowhere');
      await stage.shoot('common-no-page');
      await stage.goto('/hosted/returned/KYC');
      await stage.shoot('common-another-browser');
      await stage.goto('/hosted/link');
      await stage.page.context().clearCookies();
      await stage.continue();
      await stage.shoot('common-cookies-off');
    },
  },
];
