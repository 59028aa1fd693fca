import { Logger } from '@nestjs/common';
import { expect, it, vi } from 'vitest';
import { Metrics } from '../platform/index.js';
import { MessagingTasks } from './messaging.tasks.js';
import { SmsMetrics } from './sms-outbox.js';
import type { SmsMessagesRepository } from './store/sms-messages.repository.js';

it('the age of the oldest waiting text has no value while the database does not answer', async () => {
  const oldestWaitingSeconds = vi.fn<() => Promise<number>>();
  const metrics = new Metrics();
  const messages = { oldestWaitingSeconds } as unknown as SmsMessagesRepository;
  const tasks = new MessagingTasks(messages, new SmsMetrics(metrics));
  const value = async () =>
    /^sms_oldest_waiting_seconds (\S+)$/m.exec(await metrics.registry.metrics())?.[1];
  const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
  oldestWaitingSeconds.mockResolvedValueOnce(7).mockRejectedValueOnce(new Error('away'));
  await tasks.measureOldestWaiting();
  expect(await value()).toBe('7');
  await tasks.measureOldestWaiting();
  expect(await value()).toBeUndefined();
  oldestWaitingSeconds.mockResolvedValueOnce(0);
  await tasks.measureOldestWaiting();
  expect(await value()).toBe('0');
  logged.mockRestore();
});
