import { expect, it, vi } from 'vitest';
import { type ClockDifference, type DuePoller, Signal } from '../platform/index.js';
import type { LenderCatalogue } from '../settings/index.js';
import { QuestionWorker } from './question-worker.js';
import type { LenderQuestionsRepository } from './store/lender-questions.repository.js';
import type { QuestionOutbox } from './store/question-outbox.js';

it('claims no questions while the clock is unfit', async () => {
  const clock = { isUnfit: true };
  const claim = vi.fn<LenderQuestionsRepository['claim']>().mockResolvedValue([]);
  let checks = 0;
  const wake = new Signal();
  const nothing = undefined as never;
  const worker = new QuestionWorker(
    { claim } as unknown as LenderQuestionsRepository,
    { list: () => Promise.resolve([]) } as unknown as LenderCatalogue,
    nothing,
    nothing,
    nothing,
    { arrivals: wake } as unknown as QuestionOutbox,
    {
      get isUnfit() {
        checks += 1;
        return clock.isUnfit;
      },
    } as unknown as ClockDifference,
    { watch: () => undefined } as unknown as DuePoller,
  );
  worker.onApplicationBootstrap();
  wake.raise();
  await vi.waitFor(() => expect(checks).toBe(1));
  expect(claim).not.toHaveBeenCalled();
  clock.isUnfit = false;
  wake.raise();
  await vi.waitFor(() => expect(claim).toHaveBeenCalledTimes(1));
  await worker.beforeApplicationShutdown();
});
