import { eventually } from '../../support/eventually.ts';
import { loanRequest } from '../../support/loan-requests.ts';
import type { Delivery, WebhookBody } from '../../support/webhook-receiver.ts';
import type { Drive, Scenario } from '../drive.ts';
import { driveHeadless } from './headless.ts';

const HOUR_SECONDS = 3_600;
const ALERTED_MS = 60_000;
const MAX_ROTATIONS = 10;
const ALERTS = ['webhook.endpoint_failing', 'webhook.endpoint_disabled'];
const HEADERS = /^(?:content-type|user-agent|x-\w+-(?:event|event-id|attempt|subscription-id))$/;

interface Hook {
  readonly path: string;
  readonly subscription: string;
}

async function subscribe(drive: Drive, events?: readonly string[]): Promise<Hook> {
  const path = `/${drive.newMobile()}`;
  const { json } = await drive.partner.post('/webhooks', {
    url: drive.stage.receiver.url(path),
    ...(events && { events }),
  });
  return { path, subscription: `/webhooks/${String(json.data.subscriptionId)}` };
}

function noteDeliveries(drive: Drive, { path }: Hook): void {
  const { deliveries } = drive.stage.receiver;
  const padded = (value: unknown) => String(value).padStart(3, '0');
  const order = ({ headers, body }: Delivery) => {
    const { journeyId, sequence } = JSON.parse(body.toString()) as Partial<WebhookBody>;
    return `${journeyId} ${padded(sequence)} ${padded(headers['x-rinpath-attempt'])}`;
  };
  const arrived = deliveries.filter((delivery) => delivery.path === path);
  for (const delivery of arrived.toSorted((a, b) => order(a).localeCompare(order(b)))) {
    const headers = Object.entries(delivery.headers).filter(([name]) => HEADERS.test(name));
    const body = delivery.json();
    drive.note({ what: `webhook ${body.event}`, headers: Object.fromEntries(headers), body });
  }
}

async function delivered(drive: Drive): Promise<void> {
  const { partner } = drive;
  const hook = await subscribe(drive);
  await partner.get('/webhooks');
  await partner.post(`${hook.subscription}/test`);
  const { applicationId } = await driveHeadless(drive, loanRequest({ mobile: drive.newMobile() }));
  await partner.get(`${hook.subscription}/deliveries`);
  await partner.get(`/leads/${applicationId}/status`);
  for (let time = 0; time <= MAX_ROTATIONS; time += 1) {
    await partner.post(`${hook.subscription}/rotate-secret`);
  }
  await partner.delete(hook.subscription);
  await partner.get(`${hook.subscription}/deliveries`);
  noteDeliveries(drive, hook);
}

async function failing(drive: Drive): Promise<void> {
  const { partner, stage } = drive;
  const hook = await subscribe(drive, ['journey.initiated']);
  const alerts = await subscribe(drive, ALERTS);
  const since = drive.startsAt.toISOString();
  stage.receiver.answerAt(hook.path, 500);
  await partner.initiate(loanRequest({ mobile: drive.newMobile() }));
  await drive.settle();
  const deliveries = await partner.get<{ deliveries: { deliveryId: string }[] }>(
    `${hook.subscription}/deliveries`,
  );
  const { deliveryId } = deliveries.json.data.deliveries[0];
  const redeliver = `${hook.subscription}/deliveries/${deliveryId}/redeliver`;
  await partner.post(redeliver);
  // Enough failures for an alert.
  await drive.travel(HOUR_SECONDS);
  await alerted(drive, alerts, 1);
  await drive.travel(60 * HOUR_SECONDS);
  await partner.get(`${hook.subscription}/deliveries`);
  await partner.post(redeliver);
  stage.receiver.answerAt(hook.path, 410);
  await partner.initiate(loanRequest({ mobile: drive.newMobile() }));
  await drive.settle();
  await alerted(drive, alerts, 2);
  await partner.get('/webhooks');
  await partner.post(redeliver);
  stage.receiver.answerAt(hook.path, 200);
  await partner.post(`${hook.subscription}/enable`);
  await partner.post(`${hook.subscription}/recover`, { since });
  await partner.post(`${hook.subscription}/recover`, {});
  await drive.settle();
  await partner.get(`${hook.subscription}/deliveries?limit=2`);
  for (const one of [hook, alerts]) {
    await partner.delete(one.subscription);
    noteDeliveries(drive, one);
  }
  drive.noteMails();
}

async function alerted(drive: Drive, { path }: Hook, count: number): Promise<void> {
  const { receiver, mails } = drive.stage;
  await receiver.waitForCount(count, ALERTED_MS, (delivery) => delivery.path === path);
  await eventually(() => mails.received.length >= count, { withinMs: ALERTED_MS });
}

export const WEBHOOKS: readonly Scenario[] = [
  { name: 'webhooks/delivered', play: delivered },
  { name: 'webhooks/failing', days: 6, play: failing },
];
