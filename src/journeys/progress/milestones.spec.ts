import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import type { Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import type { NewMilestone } from '../store/milestones.repository.js';
import { coolingOffReminder, Milestones } from './milestones.js';

describe('the reminder that the cooling-off period is about to end', () => {
  it.each([
    ['by day', '2026-11-23T12:00:00+05:30', 3, '2026-11-25'],
    ['in the last minute of a day in India', '2026-11-23T23:59:00+05:30', 3, '2026-11-25'],
    [
      'in the first, when it is still the day before in London',
      '2026-11-23T00:01:00+05:30',
      3,
      '2026-11-25',
    ],
    ['at the end of a month', '2026-11-29T12:00:00+05:30', 5, '2026-12-03'],
    ['for a single day: on the day of the payout', '2026-11-23T09:00:00+05:30', 1, '2026-11-23'],
  ])(
    'leaves between 10 am and 8 pm on the day before its last, paid out %s',
    (_, at, days, day) => {
      expect(coolingOffReminder({ disbursedAt: new Date(at), coolingOffDays: days })).toEqual({
        dueAt: new Date(`${day}T10:00:00+05:30`),
        endsAt: new Date(`${day}T20:00:00+05:30`),
      });
    },
  );
});

it('a milestone is noted of hosted journeys only, and when its text is switched on', async () => {
  const journeys = [
    { id: 'hosted', channel: 'API_HOSTED', steps: ['OFFERS', 'KYC'] },
    { id: 'headless', channel: 'API_HEADLESS', steps: ['OFFERS', 'KYC'] },
    { id: 'instant', channel: 'API_HOSTED', steps: ['OFFERS', 'FEE', 'DECISION'] },
  ] as unknown as Journey[];
  const noted: NewMilestone[] = [];
  const note = (_tx: Tx, rows: readonly NewMilestone[]) =>
    Promise.resolve(void noted.push(...rows));
  const milestones = new Milestones(
    { note } as never,
    undefined as never,
    undefined as never,
    { operating: () => Promise.resolve({ milestoneTexts: ['KYC_FAILED'] }) } as never,
  );
  await milestones.note({} as never, journeys, ['OFFERS_READY', 'KYC_FAILED']);
  expect(noted).toMatchObject([{ journeyId: 'hosted', milestone: 'KYC_FAILED' }]);
});
