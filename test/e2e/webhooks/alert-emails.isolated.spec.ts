// Isolated: a mail server in the environment, and two replicas that send the same mail.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PartnerAlertEmails } from '../../../src/auth/index.js';
import { Database } from '../../../src/platform/index.js';
import {
  AlertPublisher,
  type PublishedAlert,
} from '../../../src/webhooks/alerts/alert-publisher.js';
import { AlertsTasks } from '../../../src/webhooks/alerts/alerts.tasks.js';
import { configurationWith } from '../../support/configuration-with.js';
import { MailServer } from '../../support/mail-server.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { takeOffSchedule } from '../replicas/tasks-by-hand.js';

// Alerts by e-mail, on two replicas. alerts.spec.ts covers when an alert is raised.

const MINUTE_MS = 60_000;
const READERS = ['loans@partner.example', 'on-call@partner.example'];
const MAX_TRIES = 7;

const mails = new MailServer();
let replicas: TwoReplicas;
let configuration: ReturnType<typeof configurationWith>;
let subject = 0;

beforeAll(async () => {
  const smtpUrl = await mails.start();
  configuration = configurationWith(({ partners }) => ({
    partners: (partners as { id: string }[]).map((one) =>
      one.id === 'demo' ? { ...one, alertEmails: READERS } : one,
    ),
  }));
  const environment = { SMTP_URL: smtpUrl, MAIL_FROM: 'Loan alerts <alerts@rinpath.example>' };
  replicas = await startTwoReplicas({ configFile: configuration.file, environment });
  takeOffSchedule(replicas, 'webhooks-alert-emails');
});

beforeEach(() => {
  mails.received.length = 0;
  mails.refusals.length = 0;
});

afterAll(async () => {
  await replicas?.close();
  configuration?.remove();
  await mails.stop();
});

function failing(partnerId = 'demo'): PublishedAlert {
  subject += 1;
  const subscriptionId = `sub_${subject}`;
  return {
    partnerId,
    subjectId: subscriptionId,
    since: new Date('2026-01-31T10:00:00.000Z'),
    name: 'webhook.endpoint_failing',
    data: { subscriptionId, failingSince: '2026-01-31T10:00:00.000Z', failureCount: 5 },
  };
}

async function tell(alert: PublishedAlert): Promise<void> {
  const publisher = replicas.first.get<AlertPublisher>(AlertPublisher);
  await replicas.first.get<Database>(Database).transaction((tx) => publisher.publish(tx, [alert]));
}

async function send(): Promise<void> {
  const tasks = [replicas.first, replicas.second].map((one) => one.get<AlertsTasks>(AlertsTasks));
  for (let time = 0; time < 2; time += 1) await Promise.all(tasks.map((one) => one.sendEmails()));
}

async function waiting(): Promise<number> {
  const [{ count }] = await replicas.first
    .get<Database>(Database)
    .query<{ count: number }>('SELECT count(*)::int AS count FROM webhook_alert_emails');
  return count;
}

describe('an alert', () => {
  it('is e-mailed once to the addresses of its partner, in one sentence with one link', async () => {
    const alert = failing();
    await tell(alert);
    await tell(alert);
    await send();
    expect(mails.received.map(({ to }) => to)).toEqual([READERS]);
    const { source } = mails.received[0];
    expect(source).toMatch(/^From: Loan alerts <alerts@rinpath\.example>\r$/m);
    expect(source).toMatch(/^Subject: Rinpath: webhook endpoint failing\r$/m);
    expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    const text = source.replaceAll(/=\r\n/g, '');
    expect(text).toContain(alert.subjectId);
    expect(text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/docs\/webhooks\r\n/);
    expect(await waiting()).toBe(0);
  });

  it('is not e-mailed to a partner without an address, nor to another one', async () => {
    const partners = replicas.first.get<PartnerAlertEmails>(PartnerAlertEmails);
    expect(await partners.partnersWithAddresses()).toEqual(['demo']);
    await tell(failing('limited'));
    expect(await waiting()).toBe(0);
    await send();
    expect(mails.received).toEqual([]);
  });
});

describe('a mail server that does not take it', () => {
  it('is tried again after five minutes, with the same message id', async () => {
    mails.refusals.push(451);
    await tell(failing());
    await send();
    await replicas.travel(4 * MINUTE_MS);
    await send();
    expect([mails.received, await waiting()]).toEqual([[], 1]);
    await replicas.travel(2 * MINUTE_MS);
    await send();
    const ids = mails.received.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]);
    expect(ids).toEqual([expect.stringMatching(/^<evt_\w+@127\.0\.0\.1>$/)]);
    expect(await waiting()).toBe(0);
  });

  it('is given up after seven tries in a day', async () => {
    mails.refusals.push(...Array.from({ length: MAX_TRIES }, () => 550));
    await tell(failing());
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      expect(await waiting()).toBe(1);
      await send();
      await replicas.travel(12 * 60 * MINUTE_MS);
    }
    expect(mails.refusals).toEqual([]);
    expect(await waiting()).toBe(0);
    await send();
    expect(mails.received).toEqual([]);
  });
});
