import { beforeEach, expect, it, vi } from 'vitest';
import type { OperatorFlags } from '../../operator-flags/index.js';
import { type ClockDifference, type Database, Metrics, SystemClock } from '../../platform/index.js';
import { LenderCallMetrics } from './lender-call-metrics.js';
import type { SignatureProblem } from '../signing/message-signatures.js';
import { SignatureAlarm } from './signature-alarm.js';

const LENDER = 'navdhara';

const difference = { isUnfit: false, measure: vi.fn<() => Promise<number>>() };
const raise = vi.fn<OperatorFlags['raise']>();
let alarm: SignatureAlarm;

beforeEach(() => {
  vi.resetAllMocks();
  alarm = new SignatureAlarm(
    new LenderCallMetrics(new Metrics()),
    { raise } as unknown as OperatorFlags,
    { transaction: (work: (tx: unknown) => unknown) => work({}) } as unknown as Database,
    new SystemClock(),
    difference as unknown as ClockDifference,
  );
});

function refuse(problem: SignatureProblem, message: 'answer' | 'callback' = 'answer', times = 5) {
  for (let time = 0; time < times; time += 1) alarm.refused(LENDER, message, problem);
}

it('raises no flag while the clock here is wrong, and afterwards one for each cause', async () => {
  let isOff = true;
  difference.measure.mockImplementation(() => {
    difference.isUnfit = isOff;
    return Promise.resolve(0);
  });
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

it('raises none for what anybody could have sent, nor before it repeats', async () => {
  for (const problem of ['MISSING', 'MALFORMED', 'UNKNOWN_KEY'] as const)
    refuse(problem, 'callback');
  refuse('DOES_NOT_MATCH', 'callback', 4);
  await Promise.resolve();
  expect(difference.measure).not.toHaveBeenCalled();
  refuse('DOES_NOT_MATCH', 'callback', 1);
  await vi.waitFor(() => expect(raise).toHaveBeenCalledTimes(1));
  expect(raise.mock.calls[0][1]).toMatchObject({ cause: ['callback', 'DOES_NOT_MATCH'] });
});
