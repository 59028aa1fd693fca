import { expect, it, vi } from 'vitest';
import type { OperatorFlags } from '../../operator-flags/index.js';
import { type ClockDifference, type Database, Metrics, SystemClock } from '../../platform/index.js';
import { LenderCallMetrics } from './lender-call-metrics.js';
import { SignatureAlarm } from './signature-alarm.js';

const LENDER = 'navdhara';

it('raises no flag while the clock here is wrong, and afterwards one for each cause', async () => {
  let isOff = true;
  const difference = { isUnfit: false, measure: vi.fn<() => Promise<number>>() };
  difference.measure.mockImplementation(() => {
    difference.isUnfit = isOff;
    return Promise.resolve(0);
  });
  const raise = vi.fn<OperatorFlags['raise']>().mockResolvedValue();
  const alarm = new SignatureAlarm(
    new LenderCallMetrics(new Metrics()),
    { raise } as unknown as OperatorFlags,
    { transaction: (work: (tx: unknown) => unknown) => work({}) } as unknown as Database,
    new SystemClock(),
    difference as unknown as ClockDifference,
  );
  const refuse = (problem: 'NOT_NOW' | 'DOES_NOT_MATCH' | 'MISSING') => {
    for (let times = 0; times < 5; times += 1) alarm.refused(LENDER, 'answer', problem);
  };
  refuse('NOT_NOW');
  await vi.waitFor(() => expect(difference.isUnfit).toBe(true));
  expect(raise).not.toHaveBeenCalled();
  isOff = false;
  refuse('DOES_NOT_MATCH');
  await vi.waitFor(() => expect(raise).toHaveBeenCalledTimes(1));
  expect(raise.mock.calls[0][1]).toMatchObject({
    kind: 'LENDER_SIGNATURE_REFUSED',
    subjectId: LENDER,
    cause: ['answer', 'DOES_NOT_MATCH'],
  });
  refuse('DOES_NOT_MATCH');
  refuse('MISSING');
  await vi.waitFor(() => expect(raise).toHaveBeenCalledTimes(2));
  expect(raise.mock.calls[1][1]).toMatchObject({ cause: ['answer', 'MISSING'] });
});
