import { Injectable } from '@nestjs/common';
import { type LenderConsent, type NewQuestion, QuestionOutbox } from '../../lenders/index.js';
import { Tx } from '../../platform/index.js';
import { ApplicantFiles } from '../domain/applicant-file.js';
import { namesLender } from '../access/consent-texts.js';
import { Consents, type GivenConsent } from '../access/consents.js';
import type { Journey } from '../store/journey.entity.js';
import { OfferRoundsRepository } from '../store/offer-rounds.repository.js';
import { type Lender, LenderCatalogue, ServiceSettings } from '../../settings/index.js';

/** Asks every lender that serves the product, side by side. */
@Injectable()
export class OfferRequests {
  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly questionOutbox: QuestionOutbox,
    private readonly settings: ServiceSettings,
    private readonly applicants: ApplicantFiles,
    private readonly consents: Consents,
    private readonly rounds: OfferRoundsRepository,
  ) {}

  /** Puts the questions of the current round of journeys whose deadlines run already. */
  async askOfNew(tx: Tx, journeys: readonly Journey[]): Promise<void> {
    const questions = journeys.map((journey) => this.questionsOf(tx, journey, journey.offerRound));
    await this.questionOutbox.putAll(tx, (await Promise.all(questions)).flat());
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
    const asked = await this.startDeadlines(tx, journey, round);
    await this.questionOutbox.putAll(tx, await this.questionsOf(tx, asked, round));
    return asked;
  }

  private async questionsOf(tx: Tx, journey: Journey, round: number): Promise<NewQuestion[]> {
    const consent =
      journey.channel === 'API_HOSTED' ? await this.consents.newest(tx, journey) : null;
    const lenders = await this.lendersToAsk(journey, consent);
    const { offersGivenUpAt } = journey;
    const payload = this.applicants.payload(journey, {
      consent: toldConsent(journey, consent),
      ...(offersGivenUpAt && { usefulUntil: offersGivenUpAt.toISOString() }),
    });
    return lenders.map((lender) => ({
      partnerId: journey.partnerId,
      subjectId: journey.id,
      lenderCode: lender.code,
      kind: 'OFFERS',
      reference: String(round),
      payload,
    }));
  }

  /**
   * On our own screens the applicant consents to lenders by name: one that was configured after that
   * is told nothing, neither at the confirmation nor when the lenders are asked again.
   */
  private async lendersToAsk(journey: Journey, consent: GivenConsent | null): Promise<Lender[]> {
    const lenders = await this.lenders.serving(journey.productCode);
    if (journey.channel !== 'API_HOSTED') return lenders;
    return lenders.filter(({ name }) => consent !== null && namesLender(consent.shownText, name));
  }

  private async startDeadlines(tx: Tx, journey: Journey, round: number): Promise<Journey> {
    const { lenderDeadlineSeconds, lenderGiveUpSeconds } = await this.settings.operating();
    return this.rounds.start(tx, journey, round, {
      due: lenderDeadlineSeconds,
      givenUp: lenderGiveUpSeconds,
    });
  }
}

/** Without our own text the partner's word stands for the applicant's, since it started the journey. */
function toldConsent({ createdAt }: Journey, consent: GivenConsent | null): LenderConsent {
  if (!consent) return { givenBy: 'PARTNER', givenAt: createdAt.toISOString() };
  const { textVersion, language, givenAt } = consent;
  return { givenBy: 'HOSTED', givenAt: givenAt.toISOString(), textVersion, language };
}
