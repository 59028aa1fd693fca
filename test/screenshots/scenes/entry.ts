import type { Scene } from '../stage.ts';
import { confirm, signIn } from './walk.ts';

export const entryScenes: readonly Scene[] = [
  {
    name: 'entry',
    async play(stage) {
      const shoot = (name: string) => stage.shoot(`entry-${name}`);
      // A partner that tells little: what is missing is asked.
      const { hostedUrl } = await stage.call('/journey/initiate', {
        channel: 'API_HOSTED',
        mobile: stage.mobile,
        customer: {
          pan: 'ABCDE1234F',
          dob: '1990-04-15',
          pinCode: '560001',
          termsAccepted: true,
          monthlyIncome: 60_000,
        },
      });
      await stage.goto(String(hostedUrl));
      await shoot('start');
      await stage.continue();
      await stage.page.fill('#code', '12');
      await stage.continue();
      await shoot('code-wrong');
      await stage.page.fill('#code', await stage.sms(/(?:^|\D)(\d{6})(?:\D|$)/));
      await stage.continue();
      await stage.page.waitForURL('**/hosted/consent');
      await stage.continue();
      await shoot('consent-missing');
      await stage.page.check('#agree');
      await stage.continue();
      for (;;) {
        const name = new URL(stage.page.url()).pathname.split('/').at(-1) ?? '';
        await shoot(name);
        if (name === 'check') break;
        const field = stage.page.locator('main input:not([type=hidden])').first();
        if ((await field.getAttribute('type')) === 'radio') await field.check();
        else await field.fill('Asha Verma');
        await stage.continue();
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
