import { Injectable } from '@nestjs/common';
import { addDays, instantInIndia, lastCoolingOffDay } from '../../loans/index.js';
import type { Milestone } from '../../journey-steps/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import type { Tx } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { isInstant } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { MilestonesRepository, type NewMilestone } from '../store/milestones.repository.js';
import { OffersRepository } from '../store/offers.repository.js';

/** Hours in India. */
const FROM_HOUR = 10;
const UNTIL_HOUR = 20;

interface SendingTime {
  readonly dueAt: Date;
  readonly endsAt: Date;
}

/**
 * Schedules SMS for applicants of hosted journeys, in the transaction of the change. A headless journey's partner
 * informs its applicant.
 */
@Injectable()
export class Milestones {
  constructor(
    private readonly milestones: MilestonesRepository,
    private readonly offers: OffersRepository,
    private readonly sms: SmsOutbox,
    private readonly settings: ServiceSettings,
  ) {}

  /**
   * Replaces the pending SMS of the earlier state. One stopped in time counts as never sent.
   * @param journeys after the move
   */
  async moved(tx: Tx, journeys: readonly Journey[], brought: readonly Milestone[]): Promise<void> {
    const ids = journeys.filter(isTexted).map(({ id }) => id);
    if (ids.length === 0) return;
    const texts = await this.milestones.settleOutdated(tx, ids, brought);
    const stopped = texts.length > 0 ? await this.sms.withdraw(tx, texts) : [];
    if (stopped.length > 0) await this.milestones.reopen(tx, ids, stopped);
    await this.note(tx, journeys, brought);
  }

  /** The journeys are locked; disabled messages are skipped. */
  async note(
    tx: Tx,
    journeys: readonly Journey[],
    milestones: readonly Milestone[],
  ): Promise<void> {
    if (milestones.length === 0) return;
    const { milestoneTexts = [] } = await this.settings.operating();
    const enabled = milestones.filter((milestone) => milestoneTexts.includes(milestone));
    const noted: NewMilestone[] = [];
    for (const journey of journeys.filter(isTexted)) {
      for (const milestone of enabled) noted.push(await this.of(tx, journey, milestone));
    }
    if (noted.length > 0) await this.milestones.note(tx, noted);
  }

  private async of(tx: Tx, journey: Journey, milestone: Milestone): Promise<NewMilestone> {
    const { id: journeyId, partnerId, state } = journey;
    const time = milestone === 'COOLING_OFF_ENDING' && (await this.reminder(tx, journey));
    return { journeyId, milestone, partnerId, state, ...time };
  }

  private async reminder(tx: Tx, journey: Journey): Promise<SendingTime> {
    const { disbursedAt } = journey;
    if (!disbursedAt) throw new Error(`${journey.id} has not been paid out`);
    const { coolingOffDays } = (await this.offers.selected(tx, journey)).terms;
    return coolingOffReminder({ disbursedAt, coolingOffDays });
  }
}

/** An instant loan's applicant has a separate link. */
function isTexted(journey: Journey): boolean {
  return journey.channel === 'API_HOSTED' && !isInstant(journey);
}

/** Due on the day before the last one. */
export function coolingOffReminder(loan: {
  readonly disbursedAt: Date;
  readonly coolingOffDays: number;
}): SendingTime {
  const day = addDays(lastCoolingOffDay(loan), -1);
  return { dueAt: instantInIndia(day, FROM_HOUR), endsAt: instantInIndia(day, UNTIL_HOUR) };
}
