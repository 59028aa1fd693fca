import type { Scene } from '../stage.ts';
import { answerDetails, confirm, signIn } from './walk.ts';

export const entryScenes: readonly Scene[] = [
  {
    name: 'entry',
    async play(stage) {
      const shoot = (name: string) => stage.shoot(`entry-${name}`);
      const { hostedUrl } = await stage.call('/journey/initiate', stage.shortRequest());
      await stage.goto(String(hostedUrl));
      await shoot('start');
      await stage.continue();
      await shoot('code');
      const code = await stage.sms(/(?:^|\D)(\d{6})(?:\D|$)/);
      await stage.page.fill('#code', code === '123456' ? '654321' : '123456');
      await stage.continue();
      await shoot('code-wrong');
      await stage.page.fill('#code', code);
      await stage.continue();
      await stage.page.waitForURL('**/hosted/consent');
      await shoot('consent');
      await stage.continue();
      await shoot('consent-missing');
      await stage.page.check('#agree');
      await stage.continue();
      for (;;) {
        const name = new URL(stage.page.url()).pathname.split('/').at(-1) ?? '';
        await shoot(name);
        if (name === 'check') break;
        await answerDetails(stage);
      }
      // Whoever is signed in is led on by the link; in another browser it says that it was used.
      await stage.page.context().clearCookies({ name: 'session' });
      await stage.goto(String(hostedUrl));
      await shoot('link-used');
      await stage.continue();
      await stage.goto(await stage.sms(/(\S+\/hosted\/start\/\S+)/));
      await shoot('start-again');
    },
  },
  {
    name: 'entry-amount',
    async play(stage) {
      const request = { ...stage.shortRequest(), loanAmount: undefined };
      const { hostedUrl } = await stage.call('/journey/initiate', request);
      await stage.goto(String(hostedUrl));
      await stage.shoot('entry-amount');
      await stage.page.fill('#loanAmount', '100');
      await stage.continue();
      await stage.shoot('entry-amount-wrong');
    },
  },
  {
    name: 'entry-link',
    async play(stage) {
      await stage.goto('/hosted/link');
      await stage.shoot('entry-link');
      await stage.page.fill('#mobile', '98');
      await stage.continue();
      await stage.shoot('entry-link-wrong');
      await stage.page.fill('#mobile', '9876500000');
      await stage.continue();
      await stage.shoot('entry-link-sent');
    },
  },
  {
    name: 'entry-waiting',
    async play(stage) {
      // Two lenders that take their time, and one that never answers.
      await signIn(stage, stage.loanRequest({}, { pan: 'SANDX0002A' }));
      await confirm(stage);
      await stage.page.waitForURL('**/hosted/waiting');
      await stage.shoot('entry-waiting');
    },
  },
];
