import { Injectable } from '@nestjs/common';
import { LenderBook, type NewQuestion, QuestionDesk } from '../../lenders/index.js';
import { BrandBook, Tx } from '../../platform/index.js';
import { ApplicantFiles } from '../applicant-file.js';
import type { Journey } from '../journey.js';

/** Asks every lender that serves the product, side by side. */
@Injectable()
export class OfferRequests {
  constructor(
    private readonly lenders: LenderBook,
    private readonly desk: QuestionDesk,
    private readonly brand: BrandBook,
    private readonly applicants: ApplicantFiles,
  ) {}

  /** Puts the questions of the current round of journeys whose deadlines run already. */
  async askOfNew(tx: Tx, journeys: readonly Journey[]): Promise<void> {
    const questions = journeys.map((journey) => this.questionsOf(journey, journey.offerRound));
    await this.desk.putAll(tx, (await Promise.all(questions)).flat());
  }

  /** Puts the questions of the journey's current round and starts its two deadlines. */
  ask(tx: Tx, journey: Journey): Promise<Journey> {
    return this.askRound(tx, journey, journey.offerRound);
  }

  /** A new round: the offers of the last one have run out. */
  askAgain(tx: Tx, journey: Journey): Promise<Journey> {
    return this.askRound(tx, journey, journey.offerRound + 1);
  }

  private async askRound(tx: Tx, journey: Journey, round: number): Promise<Journey> {
    await this.desk.putAll(tx, await this.questionsOf(journey, round));
    return this.startDeadlines(tx, journey, round);
  }

  private async questionsOf(journey: Journey, round: number): Promise<NewQuestion[]> {
    const payload = this.applicants.payload(journey);
    const lenders = await this.lenders.serving(journey.productCode);
    return lenders.map((lender) => ({
      partnerId: journey.partnerId,
      subjectId: journey.id,
      lenderCode: lender.code,
      kind: 'OFFERS',
      reference: String(round),
      payload,
    }));
  }

  private async startDeadlines(tx: Tx, journey: Journey, round: number): Promise<Journey> {
    const { lenderDeadlineSeconds, lenderGiveUpSeconds } = await this.brand.settings();
    const [row] = await tx.query<Pick<Journey, 'offersDueAt' | 'offersGivenUpAt'>>(
      `UPDATE journeys SET offer_round = $2,
         offers_due_at = app_now() + $3 * interval '1 second',
         offers_given_up_at = app_now() + $4 * interval '1 second'
       WHERE id = $1
       RETURNING offers_due_at AS "offersDueAt", offers_given_up_at AS "offersGivenUpAt"`,
      [journey.id, round, lenderDeadlineSeconds, lenderGiveUpSeconds],
    );
    return { ...journey, ...row, offerRound: round };
  }
}
