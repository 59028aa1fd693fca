import type { Scene } from '../stage.ts';

export const commonScenes: readonly Scene[] = [
  {
    name: 'common',
    async play(stage) {
      await stage.goto('/returned');
      await stage.shoot('common-returned');
      await stage.goto('/nowhere');
      await stage.shoot('common-no-page');
    },
  },
];
