import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database, logFailure, Tx } from '../../platform/index.js';
import type { Journey } from '../journey.js';
import { JourneyMover } from '../journey-mover.js';
import { JourneysRepository } from '../journeys.repository.js';
import { OfferRound } from '../offers/offer-round.js';

const EVERY_MS = 1_000;
const MOST_A_PASS = 500;

/**
 * Looks at journeys whose offers are due: the lenders' deadlines, and offers that have run out. A
 * journey is claimed by its row lock, so any number of replicas may look at once.
 */
@Injectable()
export class OfferDeadlinesTasks {
  private readonly logger = new Logger(OfferDeadlinesTasks.name);
  private isRunning = false;

  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly round: OfferRound,
    private readonly mover: JourneyMover,
  ) {}

  @Interval('offer-deadlines', EVERY_MS)
  async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      const passedOver: string[] = [];
      for (let done = 0; done < MOST_A_PASS && (await this.runNext(passedOver)); done += 1);
    } catch (error) {
      logFailure(this.logger, error);
    } finally {
      this.isRunning = false;
    }
  }

  /** One that fails must not hold up the others: it is passed over until the next pass. */
  private async runNext(passedOver: string[]): Promise<boolean> {
    let due: { id: string; partnerId: string } | undefined;
    try {
      await this.database.transaction(async (tx) => {
        due = await claimDue(tx, passedOver);
        const journey = due && (await this.journeys.lock(tx, due.partnerId, due.id));
        if (journey) await this.lookAt(tx, journey);
      });
    } catch (error) {
      if (!due) throw error;
      logFailure(this.logger, error, { journeyId: due.id });
      passedOver.push(due.id);
    }
    return due !== undefined;
  }

  private async lookAt(tx: Tx, journey: Journey): Promise<void> {
    if (journey.state === 'INITIATED') await this.round.evaluate(tx, journey);
    else await this.mover.move(tx, journey, 'OFFERS_RAN_OUT');
  }
}

/** A choice that is just being made is let finish: its lease is waited for. */
async function claimDue(
  tx: Tx,
  passedOver: readonly string[],
): Promise<{ id: string; partnerId: string } | undefined> {
  const [row] = await tx.query<{ id: string; partnerId: string }>(
    `SELECT id, partner_id AS "partnerId" FROM journeys
     WHERE state IN ('INITIATED', 'OFFERS_RECEIVED') AND offers_due_at <= app_now()
       AND (lease_until IS NULL OR lease_until < app_now())
       AND id <> ALL ($1::text[])
     ORDER BY offers_due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [passedOver],
  );
  return row;
}
