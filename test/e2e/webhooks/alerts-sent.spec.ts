import { expect, it } from 'vitest';
import { AlertsTasks } from '../../../src/webhooks/alerts/alerts.tasks.js';
import { eventually } from '../../support/eventually.js';
import { plain } from '../../support/hosted-client.js';
import { pauseTask } from '../../support/paused-task.js';
import { sharedService } from '../../support/shared-service.js';
import { issueKey, type TestKey } from '../auth/auth-harness.js';
import { entered } from '../workbench/workbench-browser.js';
import { SendingBench } from './sending-bench.js';
import { expectSigned } from './signed-delivery.js';

// An alert from its start to its delivery. alerts.spec.ts covers when and how often one is raised.

const DISABLED = 'webhook.endpoint_disabled';

it('an alert of an endpoint that answers 410 comes to the receiver that names it, by call and on the workbench', async () => {
  const service = await sharedService();
  // The test runs these tasks itself.
  pauseTask(service, AlertsTasks, 'webhooks-endpoint-alerts', 'tellOfEndpoints');
  pauseTask(service, AlertsTasks, 'webhooks-limit-alerts', 'tellOfLimits');
  const sending = new SendingBench(service);
  await sending.openReceiver();
  sending.receiver.answerAt('/gone', 410);
  const alerted = await sending.subscribe(sending.receiver.url('/alerts'), [DISABLED]);
  const { id: subscriptionId } = await sending.subscribe(sending.receiver.url('/gone'));
  await sending.publish();
  await eventually(async () =>
    expect(await sending.listed(subscriptionId)).toMatchObject({ isActive: false }),
  );
  await service.get<AlertsTasks>(AlertsTasks).tellOfEndpoints();

  const delivery = await sending.receiver.waitForEvent(DISABLED);
  expectSigned(delivery, alerted.secret);
  expect(delivery.headers['x-rinpath-event']).toBe(DISABLED);
  expect(delivery.json()).toMatchObject({ data: { subscriptionId, reason: 'GONE' } });
  const read = await sending.partner.get(`/events?events=${DISABLED}`);
  expect(read.body.toString('utf8')).toContain(`"events":[${delivery.body.toString('utf8')}]`);

  const overview = async (by: TestKey) =>
    plain((await (await entered(service, by)).open('/workbench')).text);
  expect(await overview(await issueKey(service))).toContain(
    `Alerts of the last seven days ${DISABLED}`,
  );
  expect(await overview(await issueKey(service, { partnerId: 'limited' }))).not.toContain(DISABLED);
  const paths = sending.receiver.deliveries.map(({ path }) => path);
  expect(paths.toSorted()).toEqual(['/alerts', '/gone']);
  await sending.closeReceiver();
});
