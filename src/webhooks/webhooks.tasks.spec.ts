import { Logger } from '@nestjs/common';
import { expect, it, vi } from 'vitest';
import { Metrics } from '../platform/index.js';
import type { SenderWakeUp } from './sender/sender-wake-up.js';
import type { DeliveryUpkeepRepository } from './store/delivery-upkeep.repository.js';
import type { SubscriptionsRepository } from './store/subscriptions.repository.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhooksTasks } from './webhooks.tasks.js';

it('no gauge of webhooks has a value while the database does not answer', async () => {
  const waits = vi.fn<() => Promise<object>>();
  const upkeep = { waits, health: () => Promise.resolve({ healthy: 3 }) };
  const metrics = new Metrics();
  const tasks = new WebhooksTasks(
    upkeep as unknown as DeliveryUpkeepRepository,
    {} as SubscriptionsRepository,
    {} as SenderWakeUp,
    new WebhookMetrics(metrics),
  );
  const values = async () => {
    const lines = (await metrics.registry.metrics()).split('\n');
    return lines.filter((line) => /^webhook_(oldest|subscriptions)/.test(line));
  };
  const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
  waits.mockResolvedValueOnce({ due: 1, heldBack: 2 }).mockRejectedValueOnce(new Error('away'));
  await tasks.measure();
  expect(await values()).toEqual([
    'webhook_oldest_due_seconds 1',
    'webhook_oldest_held_back_seconds 2',
    'webhook_subscriptions{health="healthy"} 3',
  ]);
  await tasks.measure();
  expect(await values()).toEqual([]);
  logged.mockRestore();
});
