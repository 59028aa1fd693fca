import { applyForInstantLoan, type CreatedInstantLoan } from '../../support/instant-loans.ts';
import { Applicant, type Choices } from '../applicant.ts';
import type { Drive, Language, Scenario } from '../drive.ts';
import { RESERVED_PANS } from '../lists.ts';

const HOUR_SECONDS = 3_600;
const DEADLINE_SECONDS = 150;
const PAID = { outcome: 'pay', method: 'upi' };
const FAILED = { ...PAID, outcome: 'fail' };
const LEFT = { ...PAID, outcome: 'leave' };

async function apply(drive: Drive, pan?: string): Promise<CreatedInstantLoan> {
  const options = { mobile: drive.newMobile(), pan };
  return (await applyForInstantLoan(drive.partner, options)).json.data;
}

function byCalls(name: string, outcomes: readonly string[], pan?: string): Scenario {
  return {
    name: `instant/calls/${name}`,
    async play(drive) {
      const { applicationId } = await apply(drive, pan);
      const payment = `/sandbox/instant-loans/${applicationId}/payment`;
      const status = () => drive.partner.get(`/leads/${applicationId}/status`);
      await drive.settle();
      for (const outcome of outcomes) {
        const { status: answered } = await drive.partner.post(payment, { outcome });
        if (answered === 409) {
          await drive.travel(DEADLINE_SECONDS);
          await drive.partner.post(payment, { outcome });
        }
        await drive.settle();
        await status();
      }
      await drive.travel(DEADLINE_SECONDS);
      await status();
      await drive.partner.get(`/leads?applicationId=${applicationId}`);
    },
  };
}

function byPages(
  name: string,
  choices: Choices,
  { pan, language }: { pan?: string; language?: Language } = {},
): Scenario {
  return {
    name: `instant/pages/${name}`,
    async play(drive) {
      const { redirectUrl } = await apply(drive, pan);
      const applicant = new Applicant(drive, drive.browser(language));
      const { path } = await applicant.follow(new URL(redirectUrl).pathname, choices);
      await drive.travel(DEADLINE_SECONDS);
      await applicant.browser.open(path);
    },
  };
}

export const INSTANT: readonly Scenario[] = [
  byCalls('paid', ['PAID']),
  byCalls('failed-then-paid', ['FAILED', 'PAID', 'PAID']),
  ...RESERVED_PANS.map(({ pan, outcome }) => byCalls(`pan/${outcome}`, ['PAID'], pan)),
  ...RESERVED_PANS.map(({ pan, outcome }) =>
    byPages(`pan/${outcome}`, { payments: [PAID] }, { pan }),
  ),
  ...(['en', 'hi'] as const).flatMap((language) => [
    byPages(`paid/${language}`, { payments: [PAID], looksAround: true }, { language }),
    byPages(`failed-then-paid/${language}`, { payments: [FAILED, PAID] }, { language }),
    byPages(`left/${language}`, { payments: [LEFT] }, { language }),
    byPages(`empty-form/${language}`, { payments: [PAID], sendsEmptyFirst: true }, { language }),
  ]),
  byPages('paid-by-card', { payments: [{ ...PAID, method: 'card' }] }),
  byPages('paid-by-netbanking', { payments: [{ ...PAID, method: 'netbanking' }] }),
  byPages('callback-late', { payments: [{ ...PAID, late: '1' }] }),
  byPages('callback-twice', { payments: [{ ...PAID, twice: '1' }] }),
  ...['not-opened', 'chosen', 'ordered'].map((until, index): Scenario => ({
    name: `instant/expired/${until}`,
    days: 5,
    async play(drive) {
      const { redirectUrl, applicationId } = await apply(drive);
      const path = new URL(redirectUrl).pathname;
      const applicant = new Applicant(drive, drive.browser());
      await drive.settle();
      if (index > 0) await applicant.follow(path, { until: index === 1 ? /^\/pay/ : /^\/sandbox/ });
      if (index === 1) await applicant.browser.send303();
      await drive.travel(73 * HOUR_SECONDS);
      for (const page of [path, `${path}/done`]) await applicant.browser.open(page);
      await drive.partner.get(`/leads/${applicationId}/status`);
    },
  })),
];
